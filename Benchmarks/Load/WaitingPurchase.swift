// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreAgent
import StoreDatabase
import StoreKit

/// A device whose app doesn't run while the store sells to it, and the app's
/// launches, each of which receives one purchase.
struct WaitingPurchase: Sendable {
    /// The argument that makes this program the app.
    static let childArgument = "--first-delivery"

    private let home: URL
    private let trust: URL
    private let port: Int
    private let customer: Customer
    private let cookie: String

    /// Makes the device and signs it in.
    init(_ number: Int, of store: BenchmarkStore, at port: Int, in folder: URL) async throws {
        home = folder.appending(path: "home-\(number)", directoryHint: .isDirectory)
        trust = folder.appending(path: "root.cer")
        self.port = port
        try BenchmarkStore.authority.get().rootCertificate.write(to: trust)
        let agent = try BenchmarkAgent.open(BenchmarkStore.app, home: home, port: port, trust: trust)
        defer { agent.close() }
        let customer = try await Customer(number, of: store, on: agent.credentials)
        self.customer = customer
        cookie = try await onThreads(1) { _ in try customer.signInBuying(over: Connections([port])) }[0]
    }

    /// Runs the daemon of the device while a closure runs.
    func serving<T>(_ body: () async throws -> T) async throws -> T {
        try await DaemonProcess.serving(home) { _ in
            // The daemon knows an app that has run.
            _ = try await launch(isInJournal: false)
            return try await body()
        }
    }

    /// Sells to the device, and then launches the app.
    ///
    /// - Parameter isInJournal: Whether to wait, before the launch, until the
    ///   device has received the purchase.
    /// - Returns: The time from the start of the app's process until its
    ///   observer has the purchase.
    /// - Throws: ``BenchmarkFailure`` when the app receives another one.
    func launch(isInJournal: Bool) async throws -> Duration {
        let sold = try await onThreads(1) { [customer, cookie, port] _ in
            try customer.buyOnly(request: UUID().uuidString, cookie: cookie, over: Connections([port]))
        }[0]
        if isInJournal { try await wait(for: sold) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [Self.childArgument, home.path, "http://127.0.0.1:\(port)", trust.path]
        let output = Pipe()
        process.standardOutput = output
        let begin = ContinuousClock.now
        try process.run()
        let printed = try await onThreads(1) { _ in output.fileHandleForReading.availableData }[0]
        let time = ContinuousClock.now - begin
        process.waitUntilExit()
        let text = String(decoding: printed, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard text == sold else { throw BenchmarkFailure("The app received \"\(text)\" instead of \(sold).") }
        return time
    }

    /// Waits until the purchase can be delivered.
    private func wait(for transaction: String) async throws {
        let journal = try SQLiteDatabase(
            .file(home.appending(path: "apps/\(BenchmarkStore.app)/journal.sqlite").path))
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            let ready = try await journal.read { connection in
                try connection.row(
                    "SELECT sequence FROM entry WHERE transaction_identifier = $1 AND phase = 'ready'", [transaction])
            }
            if ready != nil { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw BenchmarkFailure("The daemon hasn't received \(transaction) after 30 s.")
    }

    /// Runs in the app's process: prints the first transaction that the
    /// observer receives, and finishes all of them.
    @MainActor
    static func receive(home: String, store: String, trust: String) async throws {
        var configuration = StoreKit.StoreKitConfiguration()
        configuration.home = URL(fileURLWithPath: home)
        configuration.storeURL = URL(string: store)
        configuration.trust = URL(fileURLWithPath: trust)
        configuration.bundleIdentifier = BenchmarkStore.app
        StoreKit.StoreKitConfiguration.use(configuration)
        let (received, continuation) = AsyncStream.makeStream(of: String.self)
        let observer = Observer(continuation)
        SKPaymentQueue.default().add(observer)
        for await transaction in received {
            print(transaction)
            fflush(nil)
            break
        }
        SKPaymentQueue.default().remove(observer)
    }

    private final class Observer: NSObject, SKPaymentTransactionObserver {
        private let received: AsyncStream<String>.Continuation

        init(_ received: AsyncStream<String>.Continuation) {
            self.received = received
        }

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions where transaction.transactionState == .purchased {
                // Durable when it returns.
                queue.finishTransaction(transaction)
                received.yield(transaction.transactionIdentifier ?? "")
            }
        }
    }
}
