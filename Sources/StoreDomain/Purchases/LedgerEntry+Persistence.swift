// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

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

    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO ledger_entry (environment, entry_id, kind, account_id, transaction_id, payment_number,
                milliunits, currency, at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                db.environment.rawValue, identifier, kind.rawValue, account, transactionIdentifier, paymentNumber,
                amount.milliunits, amount.currency, at.milliseconds,
            ])
    }
}

/// Reads the ledger, for reports and checks.
package struct ReadingLedger: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Every entry, oldest first.
    package func callAsFunction() async throws -> [LedgerEntry] {
        try await read { db in
            try db.rows(
                """
                SELECT entry_id, kind, account_id, transaction_id, payment_number, milliunits, currency, at
                FROM ledger_entry WHERE environment = $1 ORDER BY at, entry_id
                """, [db.environment.rawValue]
            ).map { row in
                let kind: String = try row.get("kind")
                return LedgerEntry(
                    identifier: try row.get("entry_id"), kind: LedgerEntry.Kind(rawValue: kind) ?? .charge,
                    account: try row.get("account_id"), transactionIdentifier: try row.get("transaction_id"),
                    paymentNumber: try row.get("payment_number"),
                    amount: Money(milliunits: try row.get("milliunits"), currency: try row.get("currency")),
                    at: Instant(milliseconds: try row.get("at")))
            }
        }
    }
}
