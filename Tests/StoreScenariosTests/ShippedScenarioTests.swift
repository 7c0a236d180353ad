// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Testing

@testable import StoreScenarios

@Suite("The scenarios that come with storectl")
struct ShippedScenarioTests {
    @Test("Each is a scenario with a reason, and expects notifications", arguments: ShippedScenario.names)
    func scenario(name: String) throws {
        let scenario = try ShippedScenario.named(name).scenario()
        #expect(!scenario.why.isEmpty && scenario.configuration == "garden.storekit")
        let expects = scenario.steps.contains { step in
            if case .notifications(let expected) = step.action { !expected.isEmpty } else { false }
        }
        #expect(expects)
    }

    @Test("A name that isn't there is an error")
    func unknown() {
        #expect(throws: ScenarioFailure("there is no scenario x")) { try ShippedScenario.named("x") }
    }
}
