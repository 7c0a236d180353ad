// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Testing

@testable import StoreScenarios

@Suite("The file of a scenario")
struct ScenarioFileTests {
    private static let head = """
        name: First purchase
        why: A seller's server delivers each purchase.
        bundle: com.example.garden
        configuration: garden.storekit

        """

    private func scenario(_ steps: String) throws -> Scenario {
        try ScenarioFile.scenario(Data((Self.head + steps).utf8))
    }

    private func failure(_ text: String) throws -> ScenarioFailure {
        try #require(throws: ScenarioFailure.self) { try ScenarioFile.scenario(Data(text.utf8)) }
    }

    @Test("Each kind of step has its line, its action, the name of its answer, and its expectation")
    func steps() throws {
        let scenario = try scenario(
            """
            steps:
              - buy: { email: fleur@example.com, product: tulip, quantity: 2, price: 0.99, offer: null, wait: true }
                as: tulip
                gives: { product: "tulip" }
              - refund: { transaction: $tulip.transaction }
                fails: not-found
              - advance: { email: fleur@example.com, by: 1mo }
              - receiver: [500, 200]
              - notifications:
                  - ONE_TIME_CHARGE
                  - { type: REFUND, payload: { data: { transaction: { quantity: 2 } } } }
                  - { type: TEST, certificate: new }
              - server: { put: /inApps/v2/transactions/consumption/$tulip.transaction, body: { customerConsented: true } }
            """)
        #expect(scenario.name == "First purchase" && scenario.bundleIdentifier == "com.example.garden")
        #expect(scenario.steps.map(\.line) == [6, 9, 11, 12, 13, 17])
        let buy: [String: JSONValue] = [
            "email": .string("fleur@example.com"), "product": .string("tulip"), "quantity": .number("2"),
            "price": .string("0.99"), "offer": .null, "wait": .bool(true),
        ]
        #expect(scenario.steps[0].action == .call("buy", .object(buy)) && scenario.steps[0].name == "tulip")
        #expect(scenario.steps[0].gives == .object(["product": .string("tulip")]))
        #expect(scenario.steps[1].fails == "not-found")
        #expect(scenario.steps[2].action == .advance(email: "fleur@example.com", by: "1mo"))
        #expect(scenario.steps[3].action == .receiver([500, 200]))
        let payload = JSONValue.object(["data": .object(["transaction": .object(["quantity": .number("2")])])])
        #expect(
            scenario.steps[4].action
                == .notifications([
                    .init(kind: "ONE_TIME_CHARGE"), .init(kind: "REFUND", payload: payload),
                    .init(kind: "TEST", hasNewCertificate: true),
                ]))
        #expect(
            scenario.steps[5].action
                == .server(
                    .init(
                        method: "PUT", path: "/inApps/v2/transactions/consumption/$tulip.transaction",
                        body: .object(["customerConsented": .bool(true)]))))
    }

    @Test(
        "A mistake is reported with its line and with the remedy",
        arguments: [
            ("steps:\n  - { buy: {}, refund: {} }\n", 6, "a step has one action"),
            ("steps:\n  - advance: { email: a, until: b }\n", 6, "advance has no until, but email, by"),
            ("steps:\n  - receiver: [700]\n", 6, "statuses from 200 to 599"),
            ("steps:\n  - notifications: REFUND\n", 6, "here stands a list"),
            ("steps:\n  - notifications: [{ type: TEST, certificate: old }]\n", 6, "a certificate is new or same"),
            ("steps:\n  - server: { get: /device/v1/queue }\n", 6, "a path that begins with /inApps/"),
            ("steps:\n  - server: { get: /inApps/a, put: /inApps/a }\n", 6, "a request has get, put or post"),
            ("steps: []\n", 5, "a scenario needs steps"),
            ("stepps: []\n", 5, "a scenario has no stepps, but name, why, bundle, configuration, steps"),
            ("steps:\n  - buy: &a { b: 1 }\n  - buy: *a\n", 6, "a scenario has no anchors"),
            ("steps:\n  - buy: [\n", 7, "it isn't YAML"),
            ("steps:\n  - buy: { a: 1, a: 2 }\n", 6, "stands twice"),
        ])
    func mistakes(_ steps: String, _ line: Int, _ text: String) throws {
        let failure = try failure(Self.head + steps)
        #expect(failure.description.contains(text))
        #expect(failure.line == line)
    }

    @Test("A file without contents, of other bytes, too long or too deep is refused")
    func limits() throws {
        #expect(try failure("").description.contains("is empty"))
        #expect(try failure(String(repeating: "#\n", count: ScenarioFile.bytes)).description.contains("more than"))
        #expect(try failure(String(repeating: "- ", count: 100_000)).description.contains("the line has more than"))
        #expect(try failure(String(repeating: "[\n", count: 51)).description.contains("brackets are open"))
        #expect(throws: ScenarioFailure("the file isn't UTF-8")) { try ScenarioFile.scenario(Data([0xFF, 0xFE])) }
        let many = "steps:\n" + String(repeating: "  - receiver: [200]\n", count: ScenarioFile.steps + 1)
        #expect(try failure(Self.head + many).description.contains("at most \(ScenarioFile.steps) steps"))
    }
}
