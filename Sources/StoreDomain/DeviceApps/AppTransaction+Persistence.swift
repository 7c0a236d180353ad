// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AppTransaction {
    private static let columns = "account_id, app_transaction_id, created_at"

    private init(_ row: Row) throws {
        self.init(
            account: try row.get("account_id"), identifier: try row.get("app_transaction_id"),
            created: WallTime(milliseconds: try row.get("created_at")))
    }

    /// Saves that an account has an app, in the transaction of its first
    /// purchase or use, which locks the account. Repeating it changes nothing.
    ///
    /// - Throws: ``DomainError`` `exists` when other accounts have all of its
    ///   numbers.
    static func record(_ bundleIdentifier: BundleIdentifier, of account: AccountIdentifier, _ db: StoreTransaction)
        throws
    {
        guard try find(bundleIdentifier, of: account, db) == nil else { return }
        for attempt in 0..<3 {
            let number = identifier(of: account, in: bundleIdentifier, db.environment, attempt: attempt)
            let isNew = try db.run(
                """
                INSERT INTO app_transaction (environment, account_id, bundle_id, bucket, app_transaction_id, created_at)
                VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
                """,
                [
                    db.environment.rawValue, account, bundleIdentifier, account.bucket, number, db.now.milliseconds,
                ])
            // The account is locked: another row has the number.
            if isNew == 1 { return }
        }
        throw DomainError(
            .exists, "Other accounts have the numbers of the app transaction of \(account) in \(bundleIdentifier).")
    }

    /// The app transaction of an account's app; `nil` before its first purchase
    /// and use.
    static func find(
        _ bundleIdentifier: BundleIdentifier, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> AppTransaction? {
        try db.row(
            """
            SELECT \(columns) FROM app_transaction
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $4
            """, [db.environment.rawValue, account, bundleIdentifier, account.bucket]
        ).map(AppTransaction.init)
    }

    /// The number of an account's app, also before its row exists.
    static func identifier(
        of bundleIdentifier: BundleIdentifier, _ account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> TransactionIdentifier {
        try find(bundleIdentifier, of: account, db)?.identifier
            ?? identifier(of: account, in: bundleIdentifier, db.environment)
    }

    /// The app transaction with a number, of an app; `nil` for another number.
    static func find(
        _ identifier: TransactionIdentifier, in bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> AppTransaction? {
        guard identifier.isOfApp(in: db.environment), let bucket = identifier.bucket else { return nil }
        return try db.row(
            """
            SELECT \(columns) FROM app_transaction
            WHERE environment = $1 AND app_transaction_id = $2 AND bucket = $3 AND bundle_id = $4
            """, [db.environment.rawValue, identifier, bucket, bundleIdentifier]
        ).map(AppTransaction.init)
    }
}
