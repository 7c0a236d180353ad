// SPDX-License-Identifier: Apache-2.0

import AppReceipts

/// Plays the steps of a scenario in their order.
package struct ScenarioRunner {
    let store: any ScenarioStore
    private var answers: [String: JSONValue] = [:]
    /// The certificate that has signed the newest notification.
    private var certificate: JSONValue?

    package init(_ store: any ScenarioStore) { self.store = store }

    /// Plays a scenario to its end, or to the first step that doesn't hold.
    ///
    /// Notifications that no step expects are a failure, too: the end expects
    /// that none has arrived since the last step about them.
    ///
    /// - Throws: ``ScenarioFailure`` with the step's line.
    package mutating func play(_ scenario: Scenario) async throws {
        for step in scenario.steps {
            do {
                try await play(step)
            } catch var failure as ScenarioFailure {
                failure.line = failure.line ?? step.line
                throw failure
            }
        }
        try await expect([])
    }

    private mutating func play(_ step: ScenarioStep) async throws {
        switch step.action {
        case .call(let name, let body):
            try check(try await store.call(name, try body.resolved(answers)), of: name, step)
        case .server(let request):
            var request = request
            request.path = try JSONValue.resolvedPath(request.path, answers)
            request.body = try request.body?.resolved(answers)
            try check(try await store.send(request), of: "\(request.method) \(request.path)", step)
        case .advance(let email, let duration):
            try await store.advance(email, by: duration)
        case .receiver(let statuses):
            await store.setReceiver(statuses)
        case .notifications(let expected):
            try await expect(expected)
        }
    }

    private mutating func check(_ answer: ScenarioAnswer, of call: String, _ step: ScenarioStep) throws {
        switch (answer, step.fails) {
        case (.value(let value), nil):
            if let name = step.name { answers[name] = value }
            if let gives = try step.gives?.resolved(answers), let difference = value.difference(from: gives) {
                throw ScenarioFailure(difference)
            }
        case (.value, let code?):
            throw ScenarioFailure("\(call) succeeded instead of being refused with \(code)")
        case (.refusal(let code, let message), let expected):
            guard code == expected else { throw ScenarioFailure("\(call) was refused with \(code): \(message)") }
        }
    }

    private mutating func expect(_ expected: [ExpectedNotification]) async throws {
        let received = try await store.notifications()
        let kinds = received.map(Self.kind)
        guard kinds == expected.map(\.kind) else {
            throw ScenarioFailure(
                "the notifications are \(Self.list(kinds)) instead of \(Self.list(expected.map(\.kind)))")
        }
        for (notification, expectation) in zip(received, expected) {
            try checkCertificate(of: notification, expectation)
            guard let payload = try expectation.payload?.resolved(answers),
                let difference = notification.difference(from: payload)
            else { continue }
            throw ScenarioFailure("in \(expectation.kind) \(difference)")
        }
    }

    private mutating func checkCertificate(of notification: JSONValue, _ expectation: ExpectedNotification) throws {
        let (before, now) = (certificate, notification.member("certificate"))
        certificate = now
        guard let isNew = expectation.hasNewCertificate, isNew != (now != before) else { return }
        let expected = isNew ? "another certificate than" : "the certificate of"
        throw ScenarioFailure("\(expectation.kind) isn't signed by \(expected) the notification before")
    }

    /// The type of a decoded notification, with its subtype after a slash.
    private static func kind(_ notification: JSONValue) -> String {
        guard case .string(let type) = notification.member("notificationType") else {
            return "a notification without a type"
        }
        guard case .string(let subtype) = notification.member("subtype") else { return type }
        return "\(type)/\(subtype)"
    }

    private static func list(_ kinds: [String]) -> String {
        kinds.isEmpty ? "none" : kinds.joined(separator: ", ")
    }
}
