// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite(.timeLimit(.minutes(24 * 60)))
struct TransactionSimulationTests {
    @Test("After any crash, both APIs show a purchase until one of them finishes it, and no refund is an entitlement")
    func everySeed() async throws {
        let outcome = try await Plan.transactions(ProcessInfo.processInfo.environment).check()
        #expect(outcome.purchases > 0)
    }

    @Test("A seed gives the same run every time", arguments: [1, 3] as [UInt64])
    func sameSeed(seed: UInt64) async throws {
        try await Run.requireRepeatable(.transactions(10), seed: seed)
    }

    @Test(
        "The checks find every planted mistake of StoreKit 2",
        arguments: Mistake.planted.filter(\.concernsTransactions))
    func mistakes(mistake: Mistake) async throws {
        try await SimulationTests.find(mistake)
    }
}
