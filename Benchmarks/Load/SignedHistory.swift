// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import StoreKit

/// A device whose journal has 10,000 signed transactions, and the launches of
/// its app, each of which reads them by StoreKit 2 without a store.
struct SignedHistory {
    /// The argument that makes this program the app.
    static let childArgument = "--signed-history"
    static let transactions = LongRestore.purchases

    /// The list that an app reads.
    enum List: String { case all, entitlements }

    /// The cost of reading a list.
    struct Taken {
        /// The seconds of the first reading in a process, and of the second
        /// one.
        var first: Double
        var second: Double
        /// The most memory of the first reading, in addition to the memory
        /// before, in KiB.
        var memory: Int
    }

    private let home: URL
    private let trust: URL

    /// Makes the device, and fetches the transactions from a store that
    /// listens on a port.
    init(_ store: BenchmarkStore, port: Int, in folder: URL) async throws {
        home = folder.appending(path: "home-of-history", directoryHint: .isDirectory)
        let purchases = try LongRestore(store, port: port, in: folder)
        trust = purchases.trust
        let agent = try BenchmarkAgent.open(BenchmarkStore.app, home: home, port: port, trust: trust)
        try await purchases.signIn((agent.credentials.identifier, agent.credentials.secret))
        try await agent.useSignedTransactions()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { do { try await agent.run() } catch is CancellationError {} }
            guard try await agent.waitForSignedAnswer(atMost: .seconds(300)) else {
                throw BenchmarkFailure("The device hasn't the signed transactions after 300 s.")
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        agent.close()
    }

    /// The journal, whose table `signed_transaction` has the rows.
    var journal: URL { home.appending(path: "apps/\(BenchmarkStore.app)/journal.sqlite") }

    /// Launches the app, which reads a list twice.
    func read(_ list: List) async throws -> Taken {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [Self.childArgument, home.path, trust.path, list.rawValue]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = try await onThreads(1) { _ in output.fileHandleForReading.readDataToEndOfFile() }[0]
        process.waitUntilExit()
        let text = String(decoding: printed, as: UTF8.self)
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 4, numbers[0] == Double(Self.transactions) else {
            throw BenchmarkFailure("The app that reads its transactions said \"\(text)\".")
        }
        return Taken(first: numbers[1], second: numbers[2], memory: Int(numbers[3]))
    }

    /// Runs in the app's process: prints the number of verified transactions,
    /// the seconds of both readings, and the memory in KiB.
    static func read(home: String, trust: String, list: String) async throws {
        var configuration = StoreKitConfiguration()
        configuration.home = URL(fileURLWithPath: home)
        configuration.trust = URL(fileURLWithPath: trust)
        configuration.bundleIdentifier = BenchmarkStore.app
        StoreKitConfiguration.use(configuration)
        // Starts the agent.
        _ = await StoreKit.Transaction.latest(for: "no product")
        let before = try ResidentMemory.kibibytes("VmRSS")
        try ResidentMemory.forgetPeak()
        var count = 0
        let first = await ContinuousClock().measure { count = await verified(in: list) }
        let memory = try ResidentMemory.kibibytes("VmHWM") - before
        let second = await ContinuousClock().measure { count = min(count, await verified(in: list)) }
        print(count, first / .seconds(1), second / .seconds(1), memory)
    }

    private static func verified(in list: String) async -> Int {
        var count = 0
        let transactions =
            list == List.all.rawValue ? StoreKit.Transaction.all : StoreKit.Transaction.currentEntitlements
        for await case .verified in transactions { count += 1 }
        return count
    }
}
