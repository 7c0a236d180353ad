// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

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
                    at: StoreTime(milliseconds: try row.get("at")))
            }
        }
    }
}
