// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Synchronization
import Testing

@testable import StoreScenarios

/// A store with scripted answers, which records the calls.
private final class ScriptedStore: ScenarioStore {
    struct State {
        var calls: [String] = []
        var answers: [ScenarioAnswer]
        var notifications: [[JSONValue]]
        var statuses: [Int] = []
    }

    let state: Mutex<State>

    init(_ answers: [ScenarioAnswer] = [], notifications: [[JSONValue]] = []) {
        state = Mutex(State(answers: answers, notifications: notifications))
    }

    func call(_ name: String, _ body: JSONValue) async throws -> ScenarioAnswer {
        state.withLock { state in
            state.calls.append("\(name) \(body.encoded)")
            return state.answers.isEmpty ? .value(.object([:])) : state.answers.removeFirst()
        }
    }

    func send(_ request: ServerRequest) async throws -> ScenarioAnswer {
        try await call("\(request.method) \(request.path)", request.body ?? .null)
    }

    func advance(_ email: String, by duration: String) async throws {
        state.withLock { $0.calls.append("advance \(email) \(duration)") }
    }

    func setReceiver(_ statuses: [Int]) async { state.withLock { $0.statuses = statuses } }

    func notifications() async throws -> [JSONValue] {
        state.withLock { $0.notifications.isEmpty ? [] : $0.notifications.removeFirst() }
    }
}

@Suite("Playing a scenario")
struct ScenarioRunnerTests {
    private func play(_ steps: String, on store: ScriptedStore) async throws {
        let text = "name: n\nwhy: w\nbundle: b\nconfiguration: c\nsteps:\n\(steps)\n"
        var runner = ScenarioRunner(store)
        try await runner.play(try ScenarioFile.scenario(Data(text.utf8)))
    }

    private func failure(_ steps: String, on store: ScriptedStore) async throws -> ScenarioFailure {
        try #require(await #expect(throws: ScenarioFailure.self) { try await play(steps, on: store) })
    }

    private static func notification(
        _ type: String, _ subtype: String? = nil, quantity: Int = 1, certificate: String = "a"
    ) -> JSONValue {
        var members: [String: JSONValue] = [
            "notificationType": .string(type), "certificate": .string(certificate),
            "data": .object(["transaction": .object(["quantity": .number("\(quantity)")])]),
        ]
        members["subtype"] = subtype.map(JSONValue.string)
        return .object(members)
    }

    @Test("A later call has the values that an earlier answer has given")
    func references() async throws {
        let answer = JSONValue.object([
            "transaction": .string("70"), "events": .array([.object(["product": .string("tulip")])]),
        ])
        let store = ScriptedStore([.value(answer)])
        try await play(
            """
              - buy: { product: tulip }
                as: first
              - refund: { transaction: $first.transaction, products: ["$first.events[0].product"] }
              - advance: { email: a, by: 1d }
              - receiver: [500]
            """, on: store)
        let state = store.state.withLock { $0 }
        #expect(
            state.calls == [
                #"buy {"product":"tulip"}"#, #"refund {"products":["tulip"],"transaction":"70"}"#, "advance a 1d",
            ])
        #expect(state.statuses == [500])
    }

    @Test("A request of the seller's server has the values of earlier answers in its path and its body")
    func server() async throws {
        let refusal = ScenarioAnswer.refusal(code: "4040010", message: "Transaction id not found.")
        let store = ScriptedStore([.value(.object(["transaction": .string("70")])), refusal])
        try await play(
            """
              - buy: {}
                as: first
              - server: { put: /inApps/v1/transactions/$first.transaction/appAccountToken, body: { a: $first.transaction } }
                fails: "4040010"
            """, on: store)
        let calls = store.state.withLock { $0.calls }
        #expect(calls.last == #"PUT /inApps/v1/transactions/70/appAccountToken {"a":"70"}"#)
        let missing = try await failure("  - server: { get: /inApps/v1/lookup/$second.a }", on: ScriptedStore())
        #expect(missing.description.contains("there is no second for $second.a"))
    }

    @Test("A certificate is that of the notification before, or another one")
    func certificates() async throws {
        let list = ["a", "a", "b"].map { [Self.notification("TEST", certificate: $0)] }
        let steps = ["new", "same", "new"].map { "  - notifications: [{ type: TEST, certificate: \($0) }]" }
        try await play(steps.joined(separator: "\n"), on: ScriptedStore(notifications: list))
        let wrong = steps[0] + "\n" + steps[0]
        let same = try await failure(wrong, on: ScriptedStore(notifications: list))
        #expect(same.description == "TEST isn't signed by another certificate than the notification before")
        #expect(same.line == 7)
        let other = try await failure(
            wrong + "\n" + steps[1], on: ScriptedStore(notifications: [list[0], list[2], list[0]]))
        #expect(other.description == "TEST isn't signed by the certificate of the notification before")
    }

    @Test("A reference to a part that doesn't exist fails at its line")
    func missingPart() async throws {
        let failure = try await failure("  - refund: { transaction: $first.transaction }", on: ScriptedStore())
        #expect(failure.line == 6 && failure.description.contains("there is no first for $first.transaction"))
    }

    @Test("An answer that differs fails with the place, and more fields than expected don't matter")
    func differences() async throws {
        let answer = ScenarioAnswer.value(.object(["a": .object(["b": .array([.number("1"), .null])]), "c": .null]))
        try await play("  - show: {}\n    gives: { a: { b: [1, null] }, d: null }", on: ScriptedStore([answer]))
        let value = try await failure("  - show: {}\n    gives: { a: { b: [1, 2] } }", on: ScriptedStore([answer]))
        #expect(value.description == "a.b[1] is null instead of 2")
        let count = try await failure("  - show: {}\n    gives: { a: { b: [1] } }", on: ScriptedStore([answer]))
        #expect(count.description == "a.b has 2 elements instead of 1: [1,null]")
    }

    @Test("A refusal fails unless its code is expected, and an expected refusal must come")
    func refusals() async throws {
        let refusal = ScenarioAnswer.refusal(code: "not-found", message: "There is no such purchase.")
        try await play("  - refund: {}\n    fails: not-found", on: ScriptedStore([refusal]))
        let unexpected = try await failure("  - refund: {}", on: ScriptedStore([refusal]))
        #expect(unexpected.description == "refund was refused with not-found: There is no such purchase.")
        let other = try await failure("  - refund: {}\n    fails: conflict", on: ScriptedStore([refusal]))
        #expect(other.description.contains("refused with not-found"))
        let none = try await failure("  - refund: {}\n    fails: not-found", on: ScriptedStore())
        #expect(none.description == "refund succeeded instead of being refused with not-found")
    }

    @Test("The notifications are the expected ones, in their order, and no others, also at the end")
    func notifications() async throws {
        let renewed = Self.notification("DID_RENEW", "BILLING_RECOVERY", quantity: 2)
        let refund = Self.notification("REFUND")
        let payload = "{ data: { transaction: { quantity: 2 } } }"
        try await play(
            "  - notifications: [{ type: DID_RENEW/BILLING_RECOVERY, payload: \(payload) }, REFUND]",
            on: ScriptedStore(notifications: [[renewed, refund]]))
        let order = try await failure(
            "  - notifications: [REFUND, DID_RENEW]", on: ScriptedStore(notifications: [[renewed, refund]]))
        #expect(
            order.description
                == "the notifications are DID_RENEW/BILLING_RECOVERY, REFUND instead of REFUND, DID_RENEW")
        let differing = try await failure(
            "  - notifications: [{ type: REFUND, payload: \(payload) }]", on: ScriptedStore(notifications: [[refund]]))
        #expect(differing.description == "in REFUND data.transaction.quantity is 1 instead of 2")
        let late = try await failure("  - notifications: []", on: ScriptedStore(notifications: [[], [refund]]))
        #expect(late.description == "the notifications are REFUND instead of none" && late.line == nil)
    }
}
