// SPDX-License-Identifier: Apache-2.0

/// The purchases, declines and refunds of one database transaction, which are
/// counted after it was committed.
///
/// A closure may run twice. Each run has a tally of its own, and only that of
/// the run whose changes were committed is counted.
final class SaleTally {
    /// A change that is counted.
    enum Change: CaseIterable, Sendable {
        case purchase
        /// The payment provider declined a payment.
        case decline
        case refund
        /// A refund was taken back.
        case refundReversal
    }

    /// A change of the product's kind; `nil` if the product isn't in the
    /// catalogue any more.
    struct Entry: Sendable {
        var change: Change
        var kind: Product.Kind?
    }

    private(set) var entries: [Entry] = []

    func note(_ change: Change, of kind: Product.Kind?) {
        entries.append(Entry(change: change, kind: kind))
    }
}
