// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite(.timeLimit(.minutes(24 * 60)))
struct SimulationTests {
    @Test("After any crash, nothing is charged twice, lost, or delivered without a charge, and every payment ends")
    func everySeed() async throws {
        let outcome = try await Plan.purchases(ProcessInfo.processInfo.environment).check()
        #expect(outcome.purchases > 0)
    }

    @Test("After any crash, no renewal is lost, charged twice, or made after it was turned off")
    func everySubscriptionSeed() async throws {
        let outcome = try await Plan.subscriptions(ProcessInfo.processInfo.environment).check()
        #expect(outcome.periods > outcome.subscriptions)
    }

    @Test("A seed gives the same run every time", arguments: [1, 2, 3] as [UInt64])
    func sameSeed(seed: UInt64) async throws {
        for script in [Script.purchases(20), .subscriptions(moves: 3)] {
            try await Run.requireRepeatable(script, seed: seed)
        }
    }

    @Test(
        "The checks find every planted mistake",
        arguments: Mistake.planted.filter { !$0.concernsDaemons && !$0.concernsTransactions && !$0.concernsAgreements })
    func mistakes(mistake: Mistake) async throws {
        try await Self.find(mistake)
    }

    @Test(
        "The checks find every planted mistake of a daemon and of the hand-over",
        arguments: Mistake.planted.filter(\.concernsDaemons))
    func mistakesOfDaemons(mistake: Mistake) async throws {
        try await Self.find(mistake)
    }

    /// Plays seeds until one shows the mistake. With
    /// `SIMULATED_MISTAKE_SEEDS` it plays that number, and prints all seeds
    /// that show it. A seed that shows a violation without the mistake too has
    /// found no mistake.
    static func find(_ mistake: Mistake) async throws {
        let environment = ProcessInfo.processInfo.environment
        let all = environment["SIMULATED_MISTAKE_SEEDS"].flatMap { UInt64($0) }
        var found: [UInt64] = []
        for seed in all.map({ 1...max($0, 1) }) ?? mistake.firstSeed...60 {
            let run = try await Run.play(mistake.script, seed: seed, mistake: mistake)
            guard let violation = run.violations.first else { continue }
            found.append(seed)
            print("\(mistake), seed \(seed): \(violation)")
            let right = try await RightRuns.shared.run(mistake.script, seed: seed)
            if let violation = right.violations.first {
                Issue.record("Seed \(seed) without \(mistake): \(violation)")
            }
            if all == nil { return }
        }
        print("\(mistake): seeds \(found)")
        if found.isEmpty { Issue.record("No check has noticed \(mistake)") }
    }

    @Test("Two seeds give two runs")
    func otherSeed() async throws {
        #expect(try await Run.play(.purchases(5), seed: 1).hash != Run.play(.purchases(5), seed: 2).hash)
    }
}
