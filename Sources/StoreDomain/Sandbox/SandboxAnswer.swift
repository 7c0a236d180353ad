// SPDX-License-Identifier: Apache-2.0

/// How the sandbox's payment provider answers the payments of an account, or
/// of all accounts.
package struct SandboxAnswer: Hashable, Sendable {
    /// An answer to a payment, now or later.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The provider sets the amount aside.
        package static let authorise = Kind(rawValue: "authorise")
        /// The provider refuses the payment.
        package static let decline = Kind(rawValue: "decline")
        /// The provider answers later. Only the immediate answer can be this.
        package static let pending = Kind(rawValue: "pending")

        /// The status of a payment with this answer in the provider's books.
        var status: SandboxPayment.Status {
            switch self {
            case .authorise: .authorised
            case .decline: .declined
            default: .pending
            }
        }
    }

    /// The immediate answer.
    package var kind = Kind.authorise
    /// With `pending`: whether the customer has to act on the sandbox's page.
    package var hasAction = false
    /// With `pending`: how long the store waits.
    package var lifetime: Duration = .seconds(10 * 60)
    /// With `pending`: the later answer, `authorise` or `decline`; `nil` when
    /// only the customer or `storectl` answers.
    package var outcome: Kind?
    /// The time from the immediate answer to the later one.
    package var delay: Duration = .zero
    /// Whether each event is sent twice, the second time a second later.
    package var isSentTwice = false
    /// Whether a second after the event of the later answer an event says
    /// that the payment is pending.
    package var isOutOfOrder = false
    /// The number of payments that are answered so; `nil` without an end.
    package var times: Int64?
    /// With `decline`: the sentence for the customer; `nil` for the provider's
    /// own.
    package var reason: String?

    package init() {}

    /// The longest pause of an answer.
    static let longest: Duration = .seconds(366 * 24 * 60 * 60)

    /// The largest number of payments with a counted answer.
    static let mostTimes: Int64 = 1000
    /// The longest reason, in bytes.
    static let longestReason = 200

    /// Checks the values.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    func check() throws {
        guard [.authorise, .decline, .pending].contains(kind) else {
            throw DomainError(.invalid, "A payment is answered with authorise, decline or pending.")
        }
        guard outcome == nil || outcome == .authorise || outcome == .decline else {
            throw DomainError(.invalid, "A pending payment is later answered with authorise or decline.")
        }
        guard kind == .pending || !hasAction && outcome == nil && !isSentTwice && !isOutOfOrder else {
            throw DomainError(.invalid, "Only a pending payment has an action, a later answer and events.")
        }
        guard times.map({ (1...Self.mostTimes).contains($0) }) ?? true else {
            throw DomainError(.invalid, "An answer is given 1 to \(Self.mostTimes) times.")
        }
        if let reason {
            guard kind == .decline, (1...Self.longestReason).contains(reason.utf8.count),
                !reason.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else {
                throw DomainError(
                    .invalid,
                    "Only decline has a reason, of 1 to \(Self.longestReason) bytes without control characters.")
            }
        }
        guard (.zero...Self.longest).contains(delay), (.seconds(1)...Self.longest).contains(lifetime) else {
            throw DomainError(
                .invalid, "A payment is answered after at most 366 days, and waits for 1 second to 366 days.")
        }
    }

    /// The events that report an answer, with the times at which they are
    /// sent.
    func events(of payment: PaymentIdentifier, answering kind: Kind, at time: WallTime) -> [SandboxEvent] {
        // A payment may be answered several times, such as declined first and
        // authorised later.
        let name = "\(payment)-\(time.milliseconds)"
        var events = [
            SandboxEvent(
                event: ProviderEvent(
                    identifier: "\(name)-\(kind.rawValue)", payment: payment,
                    kind: kind == .authorise ? .authorised : .declined,
                    message: kind == .decline ? SandboxPayment.declined : nil), sending: 1, due: time)
        ]
        if isOutOfOrder {
            events.append(
                SandboxEvent(
                    event: ProviderEvent(identifier: "\(name)-pending", payment: payment, kind: .pending),
                    sending: 1, due: time + .seconds(1)))
        }
        guard isSentTwice else { return events }
        return events
            + events.map { SandboxEvent(event: $0.event, sending: 2, due: $0.due + .seconds(1)) }
    }
}

/// An event that the sandbox's payment provider sends at a time.
struct SandboxEvent: Hashable, Sendable {
    var event: ProviderEvent
    /// 2 for the repetition of an event.
    var sending: Int
    var due: WallTime
}
