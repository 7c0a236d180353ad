// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAgent
import StoreKit

/// An app that runs, to which the store sells from elsewhere: its listener
/// receives each purchase.
struct ListeningApp: Sendable {
    /// The argument that makes this program the app.
    static let childArgument = "--listen"

    /// The API by which the app listens.
    enum API: String { case queue, transactions }

    private let process: Process
    private let output: FileHandle
    private let port: Int
    private let customer: Customer
    private let cookie: String

    /// Makes the device, signs it in and launches the app.
    init(_ api: API, number: Int, of store: BenchmarkStore, at port: Int, in folder: URL) async throws {
        let home = folder.appending(path: "home-\(number)", directoryHint: .isDirectory)
        let trust = folder.appending(path: "roots.pem")
        self.port = port
        try Data(BenchmarkStore.authority.get().rootsPEM.utf8).write(to: trust)
        let agent = try BenchmarkAgent.open(BenchmarkStore.app, home: home, port: port, trust: trust)
        let customer = try await Customer(number, of: store, on: agent.credentials)
        agent.close()
        self.customer = customer
        cookie = try await onThreads(1) { _ in try customer.signInBuying(over: Connections([port])) }[0]
        process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [Self.childArgument, home.path, "http://127.0.0.1:\(port)", trust.path, api.rawValue]
        let output = Pipe()
        process.standardOutput = output
        self.output = output.fileHandleForReading
        try process.run()
        // The listener receives new purchases after this one.
        _ = try await receive()
    }

    /// Ends the app.
    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Sells to the device.
    ///
    /// - Returns: the time from the store's answer about the purchase until
    ///   the listener has it.
    /// - Throws: ``BenchmarkFailure`` when the listener receives another one.
    func receive() async throws -> Duration {
        try await onThreads(1) { [customer, cookie, port, output] _ in
            let sold = try customer.buyOnly(request: UUID().uuidString, cookie: cookie, over: Connections([port]))
            let begin = ContinuousClock.now
            var text = ""
            while !text.contains(sold) {
                let data = output.availableData
                guard !data.isEmpty else { throw BenchmarkFailure("The app ended after \"\(text)\".") }
                text += String(decoding: data, as: UTF8.self)
            }
            return ContinuousClock.now - begin
        }[0]
    }

    /// Runs in the app's process: prints each transaction that the listener
    /// receives, and finishes it.
    @MainActor
    static func listen(home: String, store: String, trust: String, api: String) async throws {
        var configuration = StoreKitConfiguration()
        configuration.home = URL(fileURLWithPath: home)
        configuration.storeURL = URL(string: store)
        configuration.trust = URL(fileURLWithPath: trust)
        configuration.bundleIdentifier = BenchmarkStore.app
        StoreKitConfiguration.use(configuration)
        guard api == API.queue.rawValue else {
            // In a program with StoreKitTest, which has another row, a listener alone doesn't start the agent.
            _ = await StoreKit.Transaction.latest(for: BenchmarkStore.product)
            for await case .verified(let transaction) in StoreKit.Transaction.updates {
                say("\(transaction.id)")
                await transaction.finish()
            }
            return
        }
        let (received, continuation) = AsyncStream.makeStream(of: SKPaymentTransaction.self)
        let observer = Observer(continuation)
        SKPaymentQueue.default().add(observer)
        for await transaction in received {
            say(transaction.transactionIdentifier ?? "")
            SKPaymentQueue.default().finishTransaction(transaction)
        }
        SKPaymentQueue.default().remove(observer)
    }

    private static func say(_ transaction: String) {
        print(transaction)
        fflush(nil)
    }

    private final class Observer: NSObject, SKPaymentTransactionObserver {
        private let received: AsyncStream<SKPaymentTransaction>.Continuation

        init(_ received: AsyncStream<SKPaymentTransaction>.Continuation) {
            self.received = received
        }

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions where transaction.transactionState == .purchased {
                received.yield(transaction)
            }
        }
    }
}
