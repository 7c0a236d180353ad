// SPDX-License-Identifier: Apache-2.0

/// A line of the ledger: an amount that an account was charged or got back.
/// It never changes.
package struct LedgerEntry: Hashable, Sendable {
    /// Why the amount changed. The database stores the raw values.
    package enum Kind: String, Sendable {
        case charge, refund
        /// The payer's bank has taken an amount back, because the payer
        /// disputes the charge.
        case dispute
        /// The seller got the disputed amount again.
        case disputeWon = "dispute won"
        /// The disputed amount stays with the payer. The entry's amount is
        /// zero, because the dispute's entry has it.
        case disputeLost = "dispute lost"
        /// A refund was taken back: the amount is the store's again.
        case refundReversed = "refund reversed"
        /// The provider couldn't collect the amount of a charge.
        case captureFailed = "capture failed"
    }

    /// The entry's own identifier. A refund's entry has that of the refund, so
    /// that a repeated call finds it.
    package var identifier: String
    package var kind = Kind.charge
    /// The account that was charged: the payer.
    package var account: AccountIdentifier
    /// The purchase that was charged.
    package var transactionIdentifier: TransactionIdentifier
    /// The number of the payment; `nil` when the purchase cost nothing.
    package var paymentNumber: PaymentIdentifier?
    /// Negative for an amount that the payer gets back, so that the sum of all
    /// entries is the income.
    package var amount: Money
    /// When the purchase was made, or the amount changed.
    package var at: StoreTime
}
