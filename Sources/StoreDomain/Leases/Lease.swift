// SPDX-License-Identifier: Apache-2.0

/// The right of one process to work on a row for a while.
///
/// A process takes a lease in one statement, renews it while it works, and
/// gives it back when it couldn't complete the work. A process that ends
/// leaves leases that run out. A process that was stopped for longer than a
/// lease may meet another one at the same work, so that each step of the work
/// must still be safe to repeat.
///
/// Leases are compared with `wall_now`, which each engine defines: the
/// server's clock on PostgreSQL, so that the clocks of the nodes may differ,
/// and the store's clock on SQLite.
package struct Lease: Hashable, Sendable {
    /// How long a lease lasts, unless a store is configured otherwise.
    package static let duration: Duration = .seconds(10)

    /// A kind of work, with the table of its rows.
    enum Work: CaseIterable, Sendable {
        /// Completing a payment.
        case payment
        /// Giving back money.
        case refund
        /// Carrying out the next step of a subscription.
        case subscription
        /// Telling the subscribers of a new price.
        case priceChange
        /// Sharing the purchases of an account with its family.
        case sharing
    }

    var work: Work
    /// The row's key in its environment.
    var key: String

    static func payment(_ number: PaymentIdentifier) -> Lease { Lease(work: .payment, key: number.rawValue) }

    static func priceChange(_ identifier: PriceChangeIdentifier) -> Lease {
        Lease(work: .priceChange, key: identifier.rawValue)
    }

    static func sharing(_ account: AccountIdentifier) -> Lease { Lease(work: .sharing, key: account.rawValue) }

    static func refund(_ identifier: RefundIdentifier) -> Lease { Lease(work: .refund, key: identifier.rawValue) }
}
