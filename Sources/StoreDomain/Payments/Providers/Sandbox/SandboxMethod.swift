// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// One of the sandbox's test methods, which customers add to their accounts as
/// they add a card in production.
package struct SandboxMethod: RawRepresentable, Hashable, Sendable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Its payments are authorised.
    package static let accepted = SandboxMethod(rawValue: "accepted")
    /// Its payments are declined.
    package static let declined = SandboxMethod(rawValue: "declined")
    /// Its payments wait for the customer on the sandbox's page of a bank. A
    /// bank asks for no step at a renewal, which is authorised.
    package static let bank = SandboxMethod(rawValue: "bank")
    /// Its payments are authorised for thirty days of the account's time, and
    /// declined afterwards.
    package static let expiring = SandboxMethod(rawValue: "expiring")

    /// All methods, in the order of a page.
    package static let all = [accepted, declined, bank, expiring]

    /// The method of a name.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    package static func named(_ name: String) throws -> SandboxMethod {
        guard let method = all.first(where: { $0.rawValue == name }) else {
            throw DomainError(
                .invalid, "The sandbox has these payment methods: \(all.map(\.rawValue).joined(separator: ", ")).")
        }
        return method
    }

    private static let lifetime: Duration = .seconds(30 * 24 * 60 * 60)

    /// The last digits of the card, by which customers know it.
    package var digits: String { "000\((Self.all.firstIndex(of: self) ?? 0) + 1)" }

    /// The method as an account has it. `time` is the account's.
    func method(_ identifier: PaymentMethodIdentifier, addedAt now: WallTime, _ time: StoreTime) -> PaymentMethod {
        let expires = self == .expiring ? StoreTime(milliseconds: time.milliseconds + Self.lifetime.milliseconds) : nil
        return PaymentMethod(
            identifier: identifier, kind: "card", label: "Sandbox", digits: digits,
            reference: expires.map { "\(rawValue) \($0.milliseconds)" } ?? rawValue, expires: expires, added: now)
    }

    /// The answer to a payment that is charged by the method of a reference at
    /// a moment of the payer's time; `nil` when the method doesn't decide it.
    static func answer(to reference: String, at time: StoreTime, isRenewal: Bool) -> SandboxAnswer? {
        var answer = SandboxAnswer()
        let parts = reference.split(separator: " ")
        switch parts.first.map({ SandboxMethod(rawValue: String($0)) }) {
        case accepted: return nil
        case bank:
            guard !isRenewal else { return nil }
            answer.kind = .pending
            answer.hasAction = true
        case expiring:
            if let end = parts.last.flatMap({ Int64($0) }), time.milliseconds < end { return nil }
            answer.kind = .decline
        default: answer.kind = .decline
        }
        return answer
    }
}
