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
    package var account: String
    package var transactionIdentifier: String
    package var paymentNumber: String?
    /// Negative for a refund, so that the sum of all entries is the income.
    package var amount: Money
    package var at: Instant
}
