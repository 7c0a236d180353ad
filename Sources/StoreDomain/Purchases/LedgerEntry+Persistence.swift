// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension LedgerEntry {
    /// The columns that ``init(_:)`` reads.
    static let columns = "entry_id, kind, account_id, transaction_id, payment_number, milliunits, currency, at"

    init(_ row: Row) throws {
        let kind: String = try row.get("kind")
        self.init(
            identifier: try row.get("entry_id"), kind: Kind(rawValue: kind) ?? .charge,
            account: try row.get("account_id"), transactionIdentifier: try row.get("transaction_id"),
            paymentNumber: try row.get("payment_number"),
            amount: Money(milliunits: try row.get("milliunits"), currency: try row.get("currency")),
            at: StoreTime(milliseconds: try row.get("at")))
    }

    /// The entry of an identifier, of any account.
    static func find(_ identifier: String, _ db: StoreTransaction) throws -> LedgerEntry? {
        try db.row(
            "SELECT \(columns) FROM ledger_entry WHERE environment = $1 AND entry_id = $2",
            [db.environment.rawValue, identifier]
        ).map(LedgerEntry.init)
    }

    /// Whether a refund of a purchase was taken back.
    static func hasReversal(of purchase: Purchase, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM ledger_entry
            WHERE environment = $1 AND transaction_id = $2 AND bucket = $3 AND kind = 'refund reversed' LIMIT 1
            """, [db.environment.rawValue, purchase.transactionIdentifier, purchase.account.bucket]) != nil
    }

    /// The entries of a payment, oldest first.
    static func of(_ payment: Payment, _ db: StoreTransaction) throws -> [LedgerEntry] {
        try db.rows(
            """
            SELECT \(columns) FROM ledger_entry WHERE environment = $1 AND payment_number = $2 AND bucket = $3
            ORDER BY at, kind, entry_id
            """, [db.environment.rawValue, payment.number, payment.account.bucket]
        ).map(LedgerEntry.init)
    }

    /// Saves the entry of a purchase of an account, which needn't be the
    /// payer.
    func insert(of owner: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO ledger_entry (environment, entry_id, kind, account_id, transaction_id, payment_number,
                milliunits, currency, at, bucket)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                db.environment.rawValue, identifier, kind.rawValue, account, transactionIdentifier, paymentNumber,
                amount.milliunits, amount.currency, at.milliseconds, owner.bucket,
            ])
    }
}
