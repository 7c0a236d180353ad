// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension LedgerEntry {
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
