// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The record that a parent has to be notified of a request to buy (table
/// `parent_notice`).
///
/// The transaction of the request writes one row for each parent, without a
/// foreign key: it would lock the rows of the parents' accounts.
/// ``NotifyingParents`` notifies each in a transaction of its own.
struct ParentNotice: Hashable, Sendable {
    /// The parent.
    var account: AccountIdentifier
    /// The identifier of the future purchase.
    var transaction: TransactionIdentifier

    /// Records the parents of a family whose member asks to buy; none for an
    /// account without a family.
    static func note(_ request: DeviceRequest, _ db: StoreTransaction) throws {
        guard let account = request.account, let transaction = request.transactionIdentifier else { return }
        try db.run(
            """
            INSERT INTO parent_notice (environment, account_id, bucket, transaction_id)
            SELECT environment, account_id, account_bucket, $3 FROM family_member
            WHERE environment = $1 AND account_id <> $2 AND role IN ('organiser', 'parent')
                AND family_id = (SELECT family_id FROM family_member WHERE environment = $1 AND account_id = $2)
            ON CONFLICT (environment, account_id, transaction_id, bucket) DO NOTHING
            """, [db.environment.rawValue, account, transaction])
    }

    /// The parents who aren't notified yet, after one, at most fifty.
    static func due(after last: ParentNotice?, _ db: StoreTransaction) throws -> [ParentNotice] {
        try db.rows(
            """
            SELECT account_id, transaction_id FROM parent_notice
            WHERE environment = $1 AND (account_id, transaction_id) > ($2, $3)
            ORDER BY account_id, transaction_id LIMIT 50
            """, [db.environment.rawValue, last?.account ?? "", last?.transaction ?? ""]
        ).map { ParentNotice(account: try $0.get("account_id"), transaction: try $0.get("transaction_id")) }
    }

    /// Deletes the record; `false` when another process has done so.
    func delete(_ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            DELETE FROM parent_notice
            WHERE environment = $1 AND account_id = $2 AND transaction_id = $3 AND bucket = $4
            """, [db.environment.rawValue, account, transaction, account.bucket]) == 1
    }
}
