// SPDX-License-Identifier: Apache-2.0

/// A line of the ledger: an amount that an account was charged or got back.
/// It never changes.
package struct LedgerEntry: Hashable, Sendable {
    /// Whether an entry is a charge or a refund. The database stores the raw
    /// values.
    package enum Kind: String, Sendable {
        case charge, refund
    }

    package var identifier: String
    package var kind = Kind.charge
    /// The identifier of the account.
    package var account: AccountIdentifier
    /// The purchase that was charged, or the first purchase of those that
    /// were refunded.
    package var transactionIdentifier: TransactionIdentifier
    /// The number of the payment; `nil` when the purchase cost nothing.
    package var paymentNumber: PaymentIdentifier?
    /// Negative for a refund, so that the sum of all entries is the income.
    package var amount: Money
    /// When the purchase was made or refunded.
    package var at: StoreTime
}
