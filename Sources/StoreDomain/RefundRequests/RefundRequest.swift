// SPDX-License-Identifier: Apache-2.0

/// A customer's request for a refund, which waits for the store's people.
package struct RefundRequest: Hashable, Sendable {
    /// The customer's problem with a purchase.
    package enum Reason: String, CaseIterable, Sendable {
        case unintended
        case child
        case missing
        case broken
        case unsatisfied
        case legal
        case other
    }

    /// The state of a request.
    package enum Status: String, Sendable {
        case open
        /// The decision is saved, and the refund may not be.
        case approving
        case approved
        case declined

        /// Whether the store's people have to act.
        package var waits: Bool { self == .open || self == .approving }
    }

    /// The identifier of the refund after an approval.
    package var identifier: RefundIdentifier
    package var account: AccountIdentifier
    package var transaction: TransactionIdentifier
    package var reason: Reason
    /// The customer's words; `nil` without any, and after the account was
    /// closed.
    package var comment: String?
    package var status: Status
    package var created: WallTime
    /// The seller's information for the decision; `nil` without any, and after
    /// the account was closed.
    package var consumption: Consumption?

    /// The largest comment, in bytes.
    package static let longestComment = 2000

    /// A place in the order of the requests that wait.
    package struct Position: Hashable, Sendable {
        var created: WallTime
        var identifier: RefundIdentifier
    }

    /// Whether the customer names a problem of the app (`revocationReason` 1 in
    /// the App Store Server API).
    var isAboutTheApp: Bool { reason == .missing || reason == .broken }

    package var position: Position { Position(created: created, identifier: identifier) }

    /// The status after an approval or a refusal; `nil` when it stays.
    ///
    /// - Throws: ``DomainError`` `decided` for the opposite decision.
    func decided(approved: Bool) throws -> Status? {
        switch (status, approved) {
        case (.open, true): .approving
        case (.open, false): .declined
        case (.approving, true), (.approved, true), (.declined, false): nil
        case (.approving, false), (.approved, false):
            throw DomainError(.decided, "The refund \(identifier) was approved already.")
        case (.declined, true):
            throw DomainError(.decided, "The refund \(identifier) was declined already.")
        }
    }
}
