// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Logging
import StoreAPI
import StoreAgent
import StoreCore
import StoreDomain
import StoreKit

/// A device of an app with so many unfinished purchases that a launch takes a
/// while.
struct UnfinishedQueue {
    static let count = 10_000

    let home: URL
    private let trust: URL

    /// Makes the device, and waits until all purchases can be delivered.
    init(in folder: URL) async throws {
        home = folder.appending(path: "home", directoryHint: .isDirectory)
        trust = folder.appending(path: "root.cer")
        let authority = try BenchmarkStore.authority.get()
        try authority.rootCertificate.write(to: trust)
        let agent = try makeAgent(try FullStore(authority: authority))
        let (deliveries, continuation) = AsyncStream.makeStream(of: Int.self)
        agent.observe { updates in continuation.yield(Self.delivered(updates)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { do { try await agent.run() } catch is CancellationError {} }
            var sum = 0
            for await number in deliveries {
                sum += number
                if sum >= Self.count { break }
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        agent.close()
    }

    /// Launches the app, and returns when its observer has received the first
    /// purchases.
    func launch() async throws {
        let agent = try makeAgent(UnconfiguredConnection())
        let (deliveries, continuation) = AsyncStream.makeStream(of: Int.self)
        agent.observe { updates in continuation.yield(Self.delivered(updates)) }
        for await number in deliveries where number > 0 { break }
        agent.close()
    }

    var journal: URL {
        home.appending(path: "apps/\(BenchmarkStore.app)/journal.sqlite")
    }

    private func makeAgent(_ connection: any StoreConnection) throws -> Agent {
        try Agent(
            AgentConfiguration(
                storeURL: URL(string: "http://store.example"), bundleIdentifier: BenchmarkStore.app, home: home,
                trust: trust),
            connection: connection, presenter: TerminalPresenter(),
            clock: AgentClock(
                now: { Int64(Date().timeIntervalSince1970 * 1000) }, sleep: { try await Task.sleep(for: $0) }),
            random: AgentRandom(SystemRandomNumberGenerator()),
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
    }

    private static func delivered(_ updates: [AgentUpdate]) -> Int {
        updates.reduce(0) { sum, update in
            guard case .updated(let transactions) = update else { return sum }
            return sum + transactions.count { $0.state == .purchased }
        }
    }

    /// Launches the app with StoreKit as a process of its own, until all
    /// purchases are delivered.
    ///
    /// - Returns: the peak memory of the process, in megabytes.
    func memoryOfLaunch() throws -> Double {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--launch", home.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let kilobytes = Double(text.split(whereSeparator: \.isWhitespace).first ?? "") else {
            throw BenchmarkFailure("The launched app said \"\(text)\" instead of its memory.")
        }
        return kilobytes / 1024
    }

    /// Runs in the launched process.
    @MainActor
    static func launched(home: String) async throws {
        var configuration = StoreKitConfiguration()
        configuration.home = URL(fileURLWithPath: home)
        configuration.bundleIdentifier = BenchmarkStore.app
        StoreKitConfiguration.use(configuration)
        let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
        let observer = Observer(continuation)
        SKPaymentQueue.default().add(observer)
        var sum = 0
        for await number in numbers {
            sum += number
            if sum >= count { break }
        }
        SKPaymentQueue.default().remove(observer)
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        print(peak?.split(whereSeparator: \.isWhitespace)[1] ?? "unknown")
    }

    private final class Observer: NSObject, SKPaymentTransactionObserver {
        private let numbers: AsyncStream<Int>.Continuation

        init(_ numbers: AsyncStream<Int>.Continuation) {
            self.numbers = numbers
        }

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            numbers.yield(transactions.count)
        }
    }
}

/// A store whose queue contains all purchases of the device.
private struct FullStore: StoreConnection {
    let authority: SigningAuthority
    /// The receipt of every transaction: the device doesn't parse it.
    let receipt: String

    init(authority: SigningAuthority) throws {
        self.authority = authority
        receipt = try authority.sign(
            TransactionReceipt(
                bundleIdentifier: BenchmarkStore.app, bundleVersion: "1.0", productIdentifier: BenchmarkStore.product,
                transactionIdentifier: "2000000000000000", purchaseDate: Date(timeIntervalSince1970: 1_700_000_000))
        ).base64EncodedString()
    }

    private static let position = EventPosition(account: "account", number: Int64(UnfinishedQueue.count))

    func content(_ request: ContentRequest) async throws -> ContentPart {
        throw StoreFailure(.contentNotFound, "This store hosts no content.")
    }

    func send(_ message: StoreMessage) async throws -> Data {
        switch message.path {
        case .register:
            return try StoreCoding.encode(RegisterCall.Answer(environment: "Sandbox"))
        case .receipt:
            let receipt = OnePurchase(bundleIdentifier: BenchmarkStore.app).receipt(
                for: Data(hexadecimal: message.credentials.identifier))
            return try StoreCoding.encode(
                ReceiptCall.Answer(
                    receipt: try authority.sign(receipt).base64EncodedString(), position: Self.position))
        case .transactionReceipts:
            let call = try StoreCoding.decode(TransactionReceiptsCall.self, from: message.body)
            return try StoreCoding.encode(
                TransactionReceiptsCall.Answer(
                    account: Self.position.account,
                    receipts: Dictionary(uniqueKeysWithValues: call.transactions.map { ($0, receipt) })))
        default:
            throw StoreFailure(.notFound, "The benchmark's store has no \(message.path.rawValue).")
        }
    }

    func events(_ subscription: EventSubscription) async throws -> AsyncThrowingStream<StoreEvent, any Error> {
        let transactions = (0..<UnfinishedQueue.count).map { number in
            let identifier = String(2_000_000_000_000_000 + number)
            return TransactionInfo(
                transactionIdentifier: identifier, originalTransactionIdentifier: identifier,
                productIdentifier: "\(BenchmarkStore.app).juice", quantity: 1, purchaseDate: 1_700_000_000_000,
                originalPurchaseDate: 1_700_000_000_000)
        }
        let (stream, events) = AsyncThrowingStream.makeStream(of: StoreEvent.self)
        events.yield(.snapshot(QueueSnapshot(position: Self.position, transactions: transactions)))
        return stream
    }
}
