// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite(.timeLimit(.minutes(24 * 60)))
struct AgreementSimulationTests {
    @Test("After any crash, no account is charged that hasn't agreed to at least that amount")
    func everySeed() async throws {
        let outcome = try await Plan.agreements(ProcessInfo.processInfo.environment).check()
        #expect(outcome.charges > 0)
    }

    @Test("A seed gives the same run every time")
    func sameSeed() async throws {
        try await Run.requireRepeatable(.agreements(40), seed: 1)
    }

    @Test(
        "The model finds each way in which an account paid without having agreed",
        arguments: Mistake.planted.filter(\.concernsAgreements))
    func mistakes(mistake: Mistake) async throws {
        try await SimulationTests.find(mistake)
    }
}
