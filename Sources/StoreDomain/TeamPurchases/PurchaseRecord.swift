// SPDX-License-Identifier: Apache-2.0

/// A purchase of a team's app with everything that the store has recorded
/// about it.
package struct PurchaseRecord: Sendable {
    package var purchase: Purchase
    package var app: AppRegistration
    /// The customer; `nil` for a closed account.
    package var account: Account?
    /// The purchase as its customer sees it; `nil` for a closed account.
    package var customersView: HistoryEntry?
    /// `appAccountToken`: the user name of the payment, or the token that the
    /// seller's server has set; `nil` without one.
    package var accountToken: String?
    /// Whether a customer's device hasn't finished it.
    package var isUnfinished: Bool
    /// The newest events of the account that name the transaction, oldest
    /// first.
    package var events: [AccountEvent]
    /// The amounts that were charged and given back, oldest first.
    package var ledger: [LedgerEntry]
    /// The amount that can be given back; `nil` for a purchase without a payment.
    package var left: Money?
    /// The newest notifications about the transaction, newest first.
    package var notifications: [ListingNotifications.Listed]
    /// The purchases with the same original transaction, newest first, without
    /// this one.
    package var others: [Purchase]

    /// The most events, notifications and other purchases of a record.
    static let limit = 50
}
