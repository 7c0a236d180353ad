// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The results of one simulated world.
struct Run: Sendable, CustomStringConvertible {
    let seed: UInt64
    let payments: Int
    let purchases: Int
    let messages: Int
    /// The number of processes that served the store at a time.
    let nodes: Int
    let hash: UInt64
    let violations: [String]
    let lines: [String]

    /// Plays a seed on a new thread, which it blocks.
    static func play(
        seed: UInt64, payments: Int, mistake: Mistake? = nil, keepsTrace: Bool = false
    ) async throws -> Run {
        let template = try await Template.shared.value
        return await withCheckedContinuation { continuation in
            let thread = Thread {
                continuation.resume(
                    returning: now(
                        World(template, seed: seed, mistake: mistake, keepsTrace: keepsTrace), payments: payments))
            }
            thread.stackSize = 16 << 20
            thread.start()
        }
    }

    private static func now(_ world: World, payments: Int) -> Run {
        world.run(payments: payments)
        return Run(
            seed: world.seed, payments: world.witness.payments.count,
            purchases: world.witness.purchased.values.reduce(0) { $0 + $1.count }, messages: world.network.messages,
            nodes: world.store.nodes.count, hash: world.trace.hash, violations: world.witness.violations,
            lines: world.trace.lines)
    }

    var description: String {
        """
        Seed \(seed), to be had again by scripts/simulate \(seed):
        \(violations.map { "  \($0)" }.joined(separator: "\n"))
        """
    }
}

/// The worlds that environment variables ask for: one seed with its trace
/// printed, or many seeds until there were enough purchases.
struct Plan {
    struct Outcome: CustomStringConvertible {
        var worlds = 0
        /// The worlds in which two processes served the store.
        var worldsOfTwo = 0
        var payments = 0
        var purchases = 0
        var messages = 0
        var seconds = 0.0
        /// A hash of the traces of all worlds, independent of the order in
        /// which they were played.
        var hash: UInt64 = 0
        var failures: [Run] = []

        var description: String {
            """
            Simulated \(worlds) worlds, \(worldsOfTwo) of them with two nodes, with \(payments) payments, of which \
            \(purchases) were purchased, and \(messages) messages in \(Int(seconds)) s; \(failures.count) went wrong. Their number is \(hash).
            """
        }
    }

    private static let paymentsPerWorld = 50
    private let seed: UInt64?
    private let firstSeed: UInt64
    private let purchases: Int
    private let threads: Int

    init(_ environment: [String: String]) {
        seed = environment["SIMULATED_SEED"].flatMap { UInt64($0) }
        firstSeed = environment["SIMULATED_FIRST_SEED"].flatMap { UInt64($0) } ?? 1
        purchases = environment["SIMULATED_PURCHASES"].flatMap { Int($0) } ?? 2000
        threads = environment["SIMULATED_THREADS"].flatMap { Int($0) } ?? 2
    }

    func run() async throws -> Outcome {
        guard let seed else { return try await runMany() }
        let run = try await Run.play(seed: seed, payments: Self.paymentsPerWorld, keepsTrace: true)
        print(run.lines.joined(separator: "\n"))
        print("The run's number is \(run.hash).")
        var outcome = Outcome()
        outcome.add(run)
        return outcome
    }

    private func runMany() async throws -> Outcome {
        let tally = Tally(firstSeed)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<threads {
                group.addTask {
                    while let seed = tally.next(until: purchases) {
                        tally.add(try await Run.play(seed: seed, payments: Self.paymentsPerWorld))
                    }
                }
            }
            try await group.waitForAll()
        }
        return tally.outcome
    }

    /// Provides each thread with its next seed, and sums up the results.
    private final class Tally: Sendable {
        private let state: Mutex<(seed: UInt64, outcome: Outcome)>

        private let begun = ContinuousClock.now

        init(_ seed: UInt64) {
            state = Mutex((seed, Outcome()))
        }

        var outcome: Outcome { state.withLock { $0.outcome } }

        /// The next seed; `nil` after enough purchases or five failures.
        func next(until purchases: Int) -> UInt64? {
            state.withLock { state in
                guard state.outcome.purchases < purchases, state.outcome.failures.count < 5 else { return nil }
                defer { state.seed += 1 }
                return state.seed
            }
        }

        func add(_ run: Run) {
            let said = state.withLock { state -> String? in
                let before = state.outcome.purchases / 1000
                state.outcome.add(run)
                state.outcome.seconds = (ContinuousClock.now - begun) / .seconds(1)
                if !run.violations.isEmpty { return "\(run)" }
                return state.outcome.purchases / 1000 > before ? "\(state.outcome)" : nil
            }
            if let said { FileHandle.standardError.write(Data("\(said)\n".utf8)) }
        }
    }
}

extension Plan.Outcome {
    mutating func add(_ run: Run) {
        worlds += 1
        if run.nodes > 1 { worldsOfTwo += 1 }
        payments += run.payments
        purchases += run.purchases
        messages += run.messages
        hash ^= run.hash
        if !run.violations.isEmpty { failures.append(run) }
    }
}
