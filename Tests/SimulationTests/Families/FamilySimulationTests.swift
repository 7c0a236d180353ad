// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite(.timeLimit(.minutes(24 * 60)))
struct FamilySimulationTests {
    @Test("After any crash, a parent pays for the purchases that the parent has approved, and a family shares its own")
    func everySeed() async throws {
        let outcome = try await Plan.families(ProcessInfo.processInfo.environment).check()
        #expect(outcome.purchases > 0)
    }

    @Test("A seed gives the same run every time", arguments: [1, 2] as [UInt64])
    func sameSeed(seed: UInt64) async throws {
        try await Run.requireRepeatable(.families(15), seed: seed)
    }
}
