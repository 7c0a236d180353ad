// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

/// The results of one simulated world.
struct Run: Sendable, CustomStringConvertible {
    let script: Script
    let seed: UInt64
    let payments: Int
    let purchases: Int
    /// The subscriptions, and the periods that were paid.
    let subscriptions: Int
    let periods: Int
    /// The downloads that were finished.
    let downloads: Int
    /// The charges that the model of agreements has compared.
    let charges: Int
    let messages: Int
    /// The number of processes that served the store at a time.
    let nodes: Int
    let hasDaemons: Bool
    let hash: UInt64
    let violations: [String]
    let lines: [String]

    /// Plays a seed on a new thread, which it blocks.
    static func play(
        _ script: Script, seed: UInt64, mistake: Mistake? = nil, keepsTrace: Bool = false
    ) async throws -> Run {
        let template = try await Template.of(script, seed: seed, mistake)
        return await withCheckedContinuation { continuation in
            let thread = Thread {
                continuation.resume(
                    returning: now(
                        World(template, seed: seed, mistake: mistake, keepsTrace: keepsTrace), script))
            }
            thread.stackSize = 16 << 20
            thread.start()
        }
    }

    /// Requires that a seed gives the same run twice.
    static func requireRepeatable(_ script: Script, seed: UInt64) async throws {
        let (first, second) = (try await play(script, seed: seed), try await play(script, seed: seed))
        #expect(first.hash == second.hash)
        #expect(first.messages == second.messages)
    }

    private static func now(_ world: World, _ script: Script) -> Run {
        world.run(script)
        return Run(
            script: script, seed: world.seed, payments: world.witness.payments.count,
            purchases: world.witness.purchased.values.reduce(0) { $0 + $1.count },
            subscriptions: world.sold.subscriptions, periods: world.sold.periods,
            downloads: world.downloads?.finished.count ?? 0, charges: world.agreements?.charges ?? 0,
            messages: world.network.messages,
            nodes: world.store.nodes.count, hasDaemons: world.hasDaemons, hash: world.trace.hash,
            violations: world.witness.violations,
            lines: world.trace.lines)
    }

    var description: String {
        """
        Seed \(seed), to be had again by scripts/simulate \(seed)\(script.argument):
        \(violations.map { "  \($0)" }.joined(separator: "\n"))
        """
    }
}

/// The runs without a mistake, each of which is compared with those of all mistakes that its seed shows.
actor RightRuns {
    static let shared = RightRuns()
    private struct World: Hashable {
        let script: Script
        let seed: UInt64
    }

    private var runs: [World: Task<Run, any Error>] = [:]

    func run(_ script: Script, seed: UInt64) async throws -> Run {
        let world = World(script: script, seed: seed)
        let run = runs[world] ?? Task { try await Run.play(script, seed: seed) }
        runs[world] = run
        return try await run.value
    }
}

/// The worlds that environment variables ask for: one seed with its trace
/// printed, or many seeds until enough was bought.
struct Plan {
    struct Totals: CustomStringConvertible {
        var worlds = 0
        /// The worlds in which two processes served the store.
        var worldsOfTwo = 0
        /// The worlds whose devices had daemons.
        var worldsWithDaemons = 0
        var payments = 0
        var purchases = 0
        var subscriptions = 0
        var periods = 0
        var downloads = 0
        /// The charges of worlds of agreements.
        var charges = 0
        var messages = 0
        var seconds = 0.0
        /// A hash of the traces of all worlds, independent of the order in
        /// which they were played.
        var hash: UInt64 = 0
        var failures: [Run] = []

        var description: String {
            """
            Simulated \(worlds) worlds, \(worldsOfTwo) of them with two nodes and \(worldsWithDaemons) with daemons, with \(payments) payments, of which \
            \(purchases) were purchased, \(subscriptions) subscriptions of \(periods) periods, \(downloads) \
            downloads, \(charges) charges with agreements, and \(messages) messages in \(Int(seconds)) s; \(failures.count) went wrong. Their number is \(hash).
            """
        }
    }

    private let script: Script
    private let seed: UInt64?
    private let firstSeed: UInt64
    /// The number of purchases, of subscriptions, or of downloads.
    private let most: Int
    private let threads: Int
    /// The difference of two seeds that are played.
    private let step: UInt64

    /// The worlds of purchases, with `SIMULATED_SEED` or
    /// `SIMULATED_PURCHASES`. With `SIMULATED_DAEMONS=only`, they are those
    /// with daemons.
    static func purchases(_ environment: [String: String]) -> Plan {
        Plan(
            .purchases(50), environment, seed: "SIMULATED_SEED",
            most: environment["SIMULATED_PURCHASES"].flatMap { Int($0) } ?? 200,
            step: environment["SIMULATED_DAEMONS"] == "only" ? World.seedsBetweenDaemons : 1)
    }

    /// The worlds of subscriptions, with `SIMULATED_SUBSCRIPTION_SEED` or
    /// `SIMULATED_SUBSCRIPTIONS`.
    static func subscriptions(_ environment: [String: String]) -> Plan {
        Plan(
            .subscriptions(moves: 30), environment, seed: "SIMULATED_SUBSCRIPTION_SEED",
            most: environment["SIMULATED_SUBSCRIPTIONS"].flatMap { Int($0) } ?? 20)
    }

    /// The worlds of downloads, with `SIMULATED_DOWNLOAD_SEED` or
    /// `SIMULATED_DOWNLOADS`.
    static func downloads(_ environment: [String: String]) -> Plan {
        Plan(
            .downloads(40), environment, seed: "SIMULATED_DOWNLOAD_SEED",
            most: environment["SIMULATED_DOWNLOADS"].flatMap { Int($0) } ?? 80)
    }

    /// The worlds of families, with `SIMULATED_FAMILY_SEED` or
    /// `SIMULATED_FAMILIES`.
    static func families(_ environment: [String: String]) -> Plan {
        Plan(
            .families(40), environment, seed: "SIMULATED_FAMILY_SEED",
            most: environment["SIMULATED_FAMILIES"].flatMap { Int($0) } ?? 40)
    }

    /// The worlds of agreements, with `SIMULATED_AGREEMENT_SEED` or
    /// `SIMULATED_AGREEMENTS`, which counts charges.
    static func agreements(_ environment: [String: String]) -> Plan {
        Plan(
            .agreements(120), environment, seed: "SIMULATED_AGREEMENT_SEED",
            most: environment["SIMULATED_AGREEMENTS"].flatMap { Int($0) } ?? 100)
    }

    /// The worlds of StoreKit 2, with `SIMULATED_TRANSACTION_SEED` or
    /// `SIMULATED_TRANSACTIONS`, which counts purchases. A debug build takes
    /// half a minute for a world: by default there is one with purchases.
    static func transactions(_ environment: [String: String]) -> Plan {
        Plan(
            .transactions(40), environment, seed: "SIMULATED_TRANSACTION_SEED",
            most: environment["SIMULATED_TRANSACTIONS"].flatMap { Int($0) } ?? 1)
    }

    private init(
        _ script: Script, _ environment: [String: String], seed name: String, most: Int, step: UInt64 = 1
    ) {
        self.script = script
        self.step = step
        self.most = most
        seed = environment[name].flatMap { UInt64($0) }
        let first = environment["SIMULATED_FIRST_SEED"].flatMap { UInt64($0) } ?? 1
        firstSeed = (first + step - 1) / step * step
        threads = environment["SIMULATED_THREADS"].flatMap { Int($0) } ?? min(2, most)
    }

    /// Plays the worlds, prints their sums, and records each that went wrong.
    func check() async throws -> Totals {
        let outcome = try await run()
        print(outcome)
        for failure in outcome.failures { Issue.record("\(failure)") }
        return outcome
    }

    private func run() async throws -> Totals {
        guard let seed else { return try await runMany() }
        let run = try await Run.play(script, seed: seed, keepsTrace: true)
        print(run.lines.joined(separator: "\n"))
        print("The run's number is \(run.hash).")
        var outcome = Totals()
        outcome.add(run)
        return outcome
    }

    private func runMany() async throws -> Totals {
        let tally = Tally(firstSeed, step)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<threads {
                group.addTask {
                    while let seed = tally.next(until: { script.count(in: $0) >= most }) {
                        tally.add(try await Run.play(script, seed: seed), script)
                    }
                }
            }
            try await group.waitForAll()
        }
        return tally.outcome
    }

    /// Provides each thread with its next seed, and sums up the results.
    private final class Tally: Sendable {
        private let state: Mutex<(seed: UInt64, outcome: Totals)>

        private let begun = ContinuousClock.now
        private let step: UInt64

        init(_ seed: UInt64, _ step: UInt64) {
            self.step = step
            state = Mutex((seed, Totals()))
        }

        var outcome: Totals { state.withLock { $0.outcome } }

        /// The next seed; `nil` when the worlds are enough, or after five
        /// failures.
        func next(until isEnough: (Totals) -> Bool) -> UInt64? {
            state.withLock { state in
                guard !isEnough(state.outcome), state.outcome.failures.count < 5 else { return nil }
                defer { state.seed += step }
                return state.seed
            }
        }

        func add(_ run: Run, _ script: Script) {
            let said = state.withLock { state -> String? in
                let before = script.count(in: state.outcome) / 1000
                state.outcome.add(run)
                state.outcome.seconds = (ContinuousClock.now - begun) / .seconds(1)
                if !run.violations.isEmpty { return "\(run)" }
                return script.count(in: state.outcome) / 1000 > before ? "\(state.outcome)" : nil
            }
            if let said { FileHandle.standardError.write(Data("\(said)\n".utf8)) }
        }
    }
}

extension Script {
    /// The number of purchases, subscriptions or downloads, which a plan
    /// counts.
    fileprivate func count(in outcome: Plan.Totals) -> Int {
        switch self {
        case .purchases: outcome.purchases
        case .subscriptions: outcome.subscriptions
        case .downloads: outcome.downloads
        case .families, .transactions: outcome.purchases
        case .agreements: outcome.charges
        }
    }
}

extension Plan.Totals {
    mutating func add(_ run: Run) {
        worlds += 1
        if run.nodes > 1 { worldsOfTwo += 1 }
        if run.hasDaemons { worldsWithDaemons += 1 }
        payments += run.payments
        purchases += run.purchases
        subscriptions += run.subscriptions
        periods += run.periods
        downloads += run.downloads
        charges += run.charges
        messages += run.messages
        hash ^= run.hash
        if !run.violations.isEmpty { failures.append(run) }
    }
}
