// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Logging
import StoreAPI
import StoreAgent
import StoreDatabase
import StoreDomain
import StoreKit
import StoreService

/// Restores of an account with so many purchases that a restore takes a while.
struct LongRestore {
    static let purchases = 10_000

    /// The cost of a restore.
    struct Taken {
        var seconds: Double
        /// The peak memory of the app's process, in megabytes.
        var memory: Double
    }

    private let store: BenchmarkStore
    private let folder: URL
    private let port: Int

    /// Prepares restores from a store that listens on a port.
    init(_ store: BenchmarkStore, port: Int, in folder: URL) throws {
        self.store = store
        self.folder = folder
        self.port = port
        try Data(BenchmarkStore.authority.get().rootsPEM.utf8).write(to: trust)
    }

    /// Restores all purchases of a new account to a new device, whose app is a
    /// process of its own.
    func restore() async throws -> Taken {
        let home = folder.appending(path: "home-\(UUID())", directoryHint: .isDirectory)
        try await signIn(try credentials(of: home))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--restore", home.path, address, trust.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 3, numbers[0] == Double(Self.purchases) else {
            throw BenchmarkFailure("The app that restores said \"\(text)\".")
        }
        return Taken(seconds: numbers[1], memory: numbers[2] / 1024)
    }

    var trust: URL { folder.appending(path: "root.cer") }
    private var address: String { "http://127.0.0.1:\(port)" }

    /// Makes a device and returns its credentials.
    private func credentials(of home: URL) throws -> (identifier: String, secret: String) {
        let agent = try Agent(
            AgentConfiguration(
                storeURL: URL(string: address), bundleIdentifier: BenchmarkStore.app, home: home, trust: trust),
            connection: UnconfiguredConnection(), presenter: TerminalPresenter(),
            clock: AgentClock(now: { 0 }, sleep: { try await Task.sleep(for: $0) }),
            random: AgentRandom(SystemRandomNumberGenerator()),
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
        defer { agent.close() }
        return (agent.credentials.identifier, agent.credentials.secret)
    }

    /// Signs a device in with a new account that has all purchases.
    func signIn(_ device: (identifier: String, secret: String)) async throws {
        let context = store.context
        let account = try await OpeningTestAccount(context)(
            email: "\(UUID())@example.com", storefront: "USA",
            device: DeviceIdentifier(rawValue: device.identifier), secret: device.secret)
        let first = try await context.database.read { connection -> Int in
            try connection.row("SELECT count(*) AS n FROM purchase")?.get("n") ?? 0
        }
        try await context.database.write { connection in
            for number in 0..<Self.purchases {
                let transaction = String(2_000_000_000_000_000 + first + number)
                try connection.run(
                    """
                    INSERT INTO purchase (environment, transaction_id, original_transaction_id, account_id, bundle_id,
                        product_id, kind, quantity, purchased_at, original_purchased_at, milliunits, currency,
                        storefront, is_in_receipt, bucket)
                    VALUES ($1, $2, $2, $3, $4, $5, $6, 1, $7, $7, 990, 'USD', 'USA', 1, $8)
                    """,
                    [
                        context.environment.rawValue, transaction, account.identifier, BenchmarkStore.app,
                        "fruit\(number)", StoreDomain.Product.Kind.nonConsumable.rawValue,
                        Int64(1_700_000_000_000) + Int64(number), account.identifier.bucket,
                    ])
            }
        }
    }

    /// Runs in the app's process: restores, finishes, and prints the number of
    /// restored transactions, the seconds until the end of the restore, and
    /// the peak memory in KiB.
    @MainActor
    static func restored(home: String, store: String, trust: String) async throws {
        var configuration = StoreKit.StoreKitConfiguration()
        configuration.home = URL(fileURLWithPath: home)
        configuration.storeURL = URL(string: store)
        configuration.trust = URL(fileURLWithPath: trust)
        configuration.bundleIdentifier = BenchmarkStore.app
        StoreKit.StoreKitConfiguration.use(configuration)
        let (ends, continuation) = AsyncStream.makeStream(of: (any Error)?.self)
        let observer = Observer(continuation)
        SKPaymentQueue.default().add(observer)
        var failure: (any Error)?
        let time = await ContinuousClock().measure {
            SKPaymentQueue.default().restoreCompletedTransactions()
            for await end in ends {
                failure = end
                break
            }
        }
        if let failure { throw failure }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        print(observer.restored, time / .seconds(1), peak?.split(whereSeparator: \.isWhitespace)[1] ?? "unknown")
        SKPaymentQueue.default().remove(observer)
    }

    private final class Observer: NSObject, SKPaymentTransactionObserver {
        private let ends: AsyncStream<(any Error)?>.Continuation
        private(set) var restored = 0

        init(_ ends: AsyncStream<(any Error)?>.Continuation) {
            self.ends = ends
        }

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions where transaction.transactionState == .restored {
                restored += 1
                queue.finishTransaction(transaction)
            }
        }

        func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
            ends.yield(nil)
        }

        func paymentQueue(
            _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
        ) {
            ends.yield(error)
        }
    }
}
