// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Logging
import StoreAgent

/// A device with a real agent, whose app has bought hosted content and hasn't
/// finished the transaction.
struct ContentDevice: Sendable {
    private let agent: Agent
    private let changes: AsyncStream<Void>
    let transaction: String

    /// Opens the device in a folder, in which ``buy(in:of:at:)`` has made it.
    init(in folder: URL, port: Int, transaction: String) throws {
        try self.init(in: folder, port: port, transaction: transaction, presenter: TerminalPresenter())
    }

    private init(in folder: URL, port: Int, transaction: String, presenter: any SheetPresenter) throws {
        guard let address = URL(string: "http://127.0.0.1:\(port)") else {
            throw BenchmarkFailure("\(port) is no port.")
        }
        let configuration = AgentConfiguration(
            storeURL: address, bundleIdentifier: BenchmarkStore.app,
            home: folder.appending(path: "home", directoryHint: .isDirectory), trust: Self.trust(in: folder))
        agent = try Agent(
            configuration, connection: try configuration.makeConnection(), presenter: presenter,
            clock: AgentClock(
                now: { Int64(Date().timeIntervalSince1970 * 1000) }, sleep: { try await Task.sleep(for: $0) }),
            random: AgentRandom(SystemRandomNumberGenerator()),
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
        self.transaction = transaction
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        self.changes = changes
        agent.observe { _ in continuation.yield() }
    }

    private static func trust(in folder: URL) -> URL { folder.appending(path: "root.cer") }

    /// Makes a device in a folder, buys the content on it, and closes it.
    ///
    /// - Returns: the transaction.
    static func buy(in folder: URL, of store: BenchmarkStore, at port: Int) async throws -> String {
        try BenchmarkStore.authority.get().rootCertificate.write(to: trust(in: folder))
        let presenter = FormPresenter(try await Customer(0, of: store), port: port)
        let device = try ContentDevice(in: folder, port: port, transaction: "", presenter: presenter)
        return try await device.running { try await device.buy() }
    }

    private func buy() async throws -> String {
        let added = try agent.add(AgentPayment(productIdentifier: BenchmarkStore.product))
        for await _ in changes {
            guard let transaction = try agent.transactions.first(where: { $0.id == added.id }) else { continue }
            if transaction.state == .purchased, let identifier = transaction.transactionIdentifier { return identifier }
            guard transaction.state != .failed else { throw BenchmarkFailure("A payment failed: \(transaction)") }
        }
        throw BenchmarkFailure("The agent ended before the purchase.")
    }

    /// Synchronizes with the store while a closure runs, and closes the agent.
    func running<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws -> T {
        defer { agent.close() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { do { try await agent.run() } catch is CancellationError {} }
            let result = try await body()
            group.cancelAll()
            try await group.waitForAll()
            return result
        }
    }

    /// Downloads the content, and waits until its files are verified and
    /// durable.
    ///
    /// - Returns: the folder of the content.
    @discardableResult
    func download() async throws -> URL {
        guard let download = agent.downloads(of: transaction).first else {
            throw BenchmarkFailure("The transaction \(transaction) has no content.")
        }
        try agent.start([download.id])
        for await _ in changes {
            guard let now = agent.downloads(of: transaction).first else { continue }
            if now.state == .finished, let content = now.content { return content }
            if let failure = now.failure { throw BenchmarkFailure("A download failed: \(failure.message)") }
        }
        throw BenchmarkFailure("The agent ended before the download.")
    }

    /// Removes the downloaded content, so that the next download transfers it
    /// again.
    func removeContent() throws {
        try agent.deleteContent(of: BenchmarkStore.product)
    }
}
