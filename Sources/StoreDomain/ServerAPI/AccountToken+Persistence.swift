// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The UUID that a seller's server has set for a purchase and for those that
/// refer to it later, such as a subscription's renewals: `appAccountToken` of
/// the App Store Server API.
struct AccountToken: Hashable, Sendable {
    var original: OriginalTransactionIdentifier
    /// The date of the first purchase that has it.
    var since: StoreTime
    /// In lower case.
    var token: String

    private static let statement = BatchedStatement(firstPlace: 3) { list in
        """
        SELECT original_transaction_id, since, token FROM account_token
        WHERE environment = $1 AND bucket = $2 AND original_transaction_id IN (\(list))
        ORDER BY since
        """
    }

    /// The tokens of purchases of an account, the oldest first.
    static func all(
        of originals: some Collection<OriginalTransactionIdentifier>, account: AccountIdentifier,
        _ db: StoreTransaction
    ) throws -> [AccountToken] {
        try statement.batches(of: originals).flatMap { batch in
            try db.rows(batch.sql, [db.environment.rawValue, account.bucket] + batch.values).map {
                AccountToken(
                    original: try $0.get("original_transaction_id"),
                    since: StoreTime(milliseconds: try $0.get("since")),
                    token: try $0.get("token"))
            }
        }
    }

    /// Saves the token of an account, instead of another one for the same
    /// purchases.
    func save(of account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO account_token (environment, original_transaction_id, bucket, since, token, set_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (environment, original_transaction_id, bucket, since) DO UPDATE SET
                token = excluded.token, set_at = excluded.set_at
            """, [db.environment.rawValue, original, account.bucket, since.milliseconds, token, db.now.milliseconds])
    }
}
