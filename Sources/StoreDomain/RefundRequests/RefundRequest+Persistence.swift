// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension RefundRequest {
    private static let columns = """
        refund_id, account_id, transaction_id, reason, comment, status, created_at, consumption
        """

    private init(_ row: Row) throws {
        let (reason, status): (String, String) = (try row.get("reason"), try row.get("status"))
        let consumption: String? = try row.get("consumption")
        guard let reason = Reason(rawValue: reason), let status = Status(rawValue: status) else {
            throw DatabaseError(.column, "The reason or the status of a refund request can't be read.")
        }
        self.init(
            identifier: try row.get("refund_id"), account: try row.get("account_id"),
            transaction: try row.get("transaction_id"), reason: reason, comment: try row.get("comment"),
            status: status, created: WallTime(milliseconds: try row.get("created_at")),
            consumption: try consumption.map(Consumption.init(stored:)))
    }

    /// The request with an identifier, of any account.
    static func find(_ identifier: RefundIdentifier, _ db: StoreTransaction) throws -> RefundRequest? {
        try db.row(
            "SELECT \(columns) FROM refund_request WHERE environment = $1 AND refund_id = $2",
            [db.environment.rawValue, identifier]
        ).map(RefundRequest.init)
    }

    /// The newest request of a transaction.
    static func newest(of purchase: Purchase, _ db: StoreTransaction) throws -> RefundRequest? {
        try db.row(
            """
            SELECT \(columns) FROM refund_request
            WHERE environment = $1 AND transaction_id = $2 AND bucket = $3
            ORDER BY created_at DESC LIMIT 1
            """,
            [db.environment.rawValue, purchase.transactionIdentifier, purchase.account.bucket]
        ).map(RefundRequest.init)
    }

    /// The requests that wait for the store's people, oldest first.
    static func waiting(after last: Position?, limit: Int, _ db: StoreTransaction) throws -> [RefundRequest] {
        try db.rows(
            """
            SELECT \(columns) FROM refund_request
            WHERE environment = $1 AND status IN ('open', 'approving') AND (created_at, refund_id) > ($2, $3)
            ORDER BY created_at, refund_id LIMIT $4
            """,
            [db.environment.rawValue, last?.created.milliseconds ?? Int64.min, last?.identifier ?? "", limit]
        ).map(RefundRequest.init)
    }

    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO refund_request (environment, refund_id, bucket, account_id, transaction_id, reason, comment,
                status, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                db.environment.rawValue, identifier, account.bucket, account, transaction, reason.rawValue, comment,
                status.rawValue, created.milliseconds,
            ])
    }

    func save(_ status: Status, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE refund_request SET status = $4, decided_at = $5
            WHERE environment = $1 AND refund_id = $2 AND bucket = $3
            """,
            [db.environment.rawValue, identifier, account.bucket, status.rawValue, db.now.milliseconds])
    }

    /// Saves the seller's information, instead of earlier one.
    func save(_ consumption: Consumption, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE refund_request SET consumption = $4
            WHERE environment = $1 AND refund_id = $2 AND bucket = $3 AND status IN ('open', 'approving')
            """, [db.environment.rawValue, identifier, account.bucket, try consumption.stored])
    }

    private static let approvals = BatchedStatement(firstPlace: 3) { list in
        """
        SELECT \(columns) FROM refund_request
        WHERE environment = $1 AND bucket = $2 AND status IN ('approving', 'approved') AND transaction_id IN (\(list))
        ORDER BY created_at
        """
    }

    /// The approved requests of transactions of an account, oldest first.
    static func approved(
        of transactions: some Collection<TransactionIdentifier>, account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> [RefundRequest] {
        try approvals.batches(of: transactions).flatMap { batch in
            try db.rows(batch.sql, [db.environment.rawValue, account.bucket] + batch.values).map(RefundRequest.init)
        }
    }

    /// Removes the comments of a closed account, and the sellers' information
    /// about its purchases.
    static func removeComments(of account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE refund_request SET comment = NULL, consumption = NULL
            WHERE environment = $1 AND account_id = $2 AND bucket = $3
            """,
            [db.environment.rawValue, account, account.bucket])
    }
}
