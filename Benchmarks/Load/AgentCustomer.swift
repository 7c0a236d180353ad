// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAgent
import StoreDomain
import Synchronization

/// A customer whose app has a real agent, with a journal and a receipt file on
/// the disk, and whose browser confirms each sheet.
final class AgentCustomer: Sendable {
    private let agent: Agent
    private let updates: AsyncStream<AgentTransaction>

    /// Opens the customer's account and the agent.
    init(_ number: Int, of store: BenchmarkStore, at port: Int, in folder: URL, trust: URL) async throws {
        let customer = try await Customer(number, of: store)
        guard let address = URL(string: "http://127.0.0.1:\(port)") else {
            throw BenchmarkFailure("\(port) is no port.")
        }
        let configuration = AgentConfiguration(
            storeURL: address, bundleIdentifier: BenchmarkStore.app,
            home: folder.appending(path: "home-\(number)", directoryHint: .isDirectory), trust: trust)
        agent = try Agent(
            configuration, connection: try configuration.makeConnection(),
            presenter: FormPresenter(customer, port: port),
            clock: AgentClock(
                now: { Int64(Date().timeIntervalSince1970 * 1000) }, sleep: { try await Task.sleep(for: $0) }),
            random: AgentRandom(SystemRandomNumberGenerator()),
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
        let (stream, continuation) = AsyncStream.makeStream(of: AgentTransaction.self)
        updates = stream
        agent.observe { updates in
            for case .updated(let transactions) in updates {
                for transaction in transactions { continuation.yield(transaction) }
            }
        }
    }

    /// Synchronizes with the store until the task is cancelled.
    func run() async throws {
        defer { agent.close() }
        do { try await agent.run() } catch is CancellationError {}
    }

    /// Buys, waits until the app has the transaction with both receipts, and
    /// finishes it.
    func buy() async throws {
        let added = try agent.add(AgentPayment(productIdentifier: BenchmarkStore.product))
        for await transaction in updates where transaction.id == added.id {
            switch transaction.state {
            case .purchased:
                guard let identifier = transaction.transactionIdentifier,
                    agent.transactionReceipt(identifier) != nil,
                    FileManager.default.fileExists(atPath: agent.receiptURL.path)
                else { throw BenchmarkFailure("A purchase was delivered without its receipts.") }
                try agent.finish(transaction.id)
                return
            case .failed:
                throw BenchmarkFailure("A payment failed: \(transaction)")
            default:
                continue
            }
        }
        throw BenchmarkFailure("The agent ended before the purchase.")
    }
}

/// A browser that confirms each sheet: the first one with the password, later
/// ones with the cookie.
final class FormPresenter: SheetPresenter {
    private let customer: Customer
    private let port: Int
    private let cookie = Mutex<String?>(nil)

    init(_ customer: Customer, port: Int) {
        self.customer = customer
        self.port = port
    }

    func present(_ sheet: URL) async throws {
        try await onThreads(1) { [self] _ in
            let known = cookie.withLock { $0 }
            let response = try Customer.answer(
                sheet.absoluteString, with: known == nil ? "decision=buy&\(customer.typed)" : "decision=buy",
                cookie: known, over: HTTPConnection(port: port))
            if let new = Customer.cookie(in: response) { cookie.withLock { $0 = new } }
        }
    }
}
