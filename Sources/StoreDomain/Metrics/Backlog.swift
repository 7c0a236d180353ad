// SPDX-License-Identifier: Apache-2.0

/// The pieces of one kind of work that are due, or under way.
package struct Backlog: Hashable, Sendable {
    package var count: Int
    /// When the oldest piece became due; `nil` if there is none.
    package var oldest: WallTime?

    /// The age of the oldest piece; zero if there is none, or if its time is
    /// in the future because a clock was set back.
    package func age(at now: WallTime) -> Duration {
        guard let oldest, oldest < now else { return .zero }
        return .milliseconds(now.milliseconds - oldest.milliseconds)
    }

    /// The kinds of work that are measured. A new kind is a case here, and a
    /// statement that reads it by an index in ``ReadingBacklogs``.
    package enum Kind: String, CaseIterable, Sendable {
        /// Payments and refunds that aren't completed.
        case payments
        /// Steps of subscriptions: charges, renewals and ends.
        case renewals
        /// Events of the payment provider that were received and aren't
        /// handled.
        case providerEvents = "provider_events"
        /// Open sheets whose time is over.
        case sheets
        /// Messages that are to be sent by mail.
        case mail
        /// Accounts whose purchases have to be compared with their family.
        case sharing
        /// Changes of prices that have begun, and aren't complete.
        case priceChanges = "price_changes"
        /// Extensions of all subscribers that aren't complete.
        case massExtensions = "mass_extensions"
        /// Charges that aren't in the numbers of sales yet.
        case sales
        /// Notifications to sellers' servers that aren't signed, or wait for an
        /// attempt.
        case notifications
    }
}
