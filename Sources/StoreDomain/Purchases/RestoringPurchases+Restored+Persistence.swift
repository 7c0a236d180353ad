// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension RestoringPurchases.Restored {
    private static let columns = """
        restored_transaction.transaction_id AS restored_transaction_id, restored_transaction.restored_at,
        \(Purchase.columns), \(HostedContent.Summary.columns)
        """

    private init(_ row: Row) throws {
        self.init(
            transactionIdentifier: try row.get("restored_transaction_id"),
            date: StoreTime(milliseconds: try row.get("restored_at")), original: try Purchase(row),
            content: try HostedContent.Summary(row))
    }

    /// The list of a restore from a place on, in its order.
    static func listed(of request: DeviceRequest, from place: Int, limit: Int, _ db: StoreTransaction) throws -> [Self]
    {
        try db.rows(
            """
            SELECT \(columns)
            FROM restored_transaction JOIN purchase
                ON purchase.environment = restored_transaction.environment
                AND purchase.transaction_id = restored_transaction.restores_transaction_id
                AND purchase.bucket = restored_transaction.account_bucket
            \(HostedContent.Summary.join)
            WHERE restored_transaction.environment = $1 AND restored_transaction.device_id = $2
                AND restored_transaction.request_id = $3 AND restored_transaction.place >= $4
            ORDER BY restored_transaction.place LIMIT $5
            """, [db.environment.rawValue, request.device, request.identifier, place, limit]
        ).map(Self.init)
    }

    /// The number of rows that one statement inserts.
    private static let batch = 100

    private static let insertion = insertion(rows: batch)
    private static let insertionOfOne = insertion(rows: 1)

    /// Rows whose restored purchase is `NULL` fill a shorter batch, and aren't
    /// inserted.
    private static func insertion(rows: Int) -> String {
        let values = (0..<rows).map { "($6 + \($0), $\(8 + 2 * $0), $\(9 + 2 * $0))" }.joined(separator: ", ")
        return """
            WITH listed (place, transaction_id, restores_transaction_id) AS (VALUES \(values))
            INSERT INTO restored_transaction (environment, device_id, request_id, place, transaction_id,
                restores_transaction_id, account_bucket, restored_at, created_at)
            SELECT $1, $2, $3, place, transaction_id, restores_transaction_id, $7, $4, $5
            FROM listed WHERE restores_transaction_id IS NOT NULL
            """
    }

    /// Appends transactions of one account and date to the list of a restore.
    static func insert(_ restored: [Self], of request: DeviceRequest, from place: Int, _ db: StoreTransaction) throws {
        for start in stride(from: 0, to: restored.count, by: batch) {
            let rows = restored[start..<min(start + batch, restored.count)]
            let isOne = rows.count == 1
            var arguments: [any DatabaseValueConvertible] = [
                db.environment.rawValue, request.device, request.identifier, rows[start].date.milliseconds,
                db.now.milliseconds, place + start, rows[start].original.account.bucket,
            ]
            for row in rows { arguments += [row.transactionIdentifier, row.original.transactionIdentifier] }
            if !isOne { arguments += Array(repeating: DatabaseValue.null, count: 2 * (batch - rows.count)) }
            try db.run(isOne ? insertionOfOne : insertion, arguments)
        }
    }
}
