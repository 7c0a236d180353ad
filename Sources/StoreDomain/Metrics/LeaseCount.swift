// SPDX-License-Identifier: Apache-2.0

/// The leases on the rows of one kind of work that isn't complete.
package struct LeaseCount: Hashable, Sendable {
    /// Those that a process holds.
    package var held: Int
    /// Those that have run out: the process has ended, or was stopped, before
    /// the work was complete.
    package var expired: Int

    /// The kinds of work that are done under leases.
    package enum Kind: String, CaseIterable, Sendable {
        /// Payments that aren't completed, without the pending ones.
        case payments
        /// Refunds that the provider hasn't carried out.
        case refunds
        /// Steps of subscriptions that are due.
        case renewals
        /// Changes of prices that have begun.
        case priceChanges = "price_changes"
        /// Comparisons of an account's purchases with its family.
        case sharing
    }
}
