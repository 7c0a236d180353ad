// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The record that the purchases, which an account shares or has from others,
/// have to be compared with its family (table `family_sharing`).
///
/// Every change of such a purchase or of the family counts the revision of the
/// account's row in its own transaction. A transaction that saves shares locks
/// the row of the account that shares: a change that commits later finds the
/// shares, and is carried out after them.
struct SharingWork: Hashable, Sendable {
    var account: AccountIdentifier
    var revision: Int64

    /// Counts a change of an account.
    static func note(_ account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO family_sharing (environment, account_id, bucket, revision, done)
            VALUES ($1, $2, $3, 1, 0)
            ON CONFLICT (environment, account_id, bucket) DO UPDATE SET revision = family_sharing.revision + 1
            """, [db.environment.rawValue, account, account.bucket])
    }

    /// Counts a change of a purchase if its account is in a family, and the
    /// purchase isn't shared by another account.
    static func note(_ purchase: Purchase, _ db: StoreTransaction) throws {
        guard purchase.share == nil, purchase.kind == .nonConsumable || purchase.kind == .autoRenewable else { return }
        try db.run(
            """
            INSERT INTO family_sharing (environment, account_id, bucket, revision, done)
            SELECT environment, account_id, account_bucket, 1, 0 FROM family_member
            WHERE environment = $1 AND account_id = $2
            ON CONFLICT (environment, account_id, bucket) DO UPDATE SET revision = family_sharing.revision + 1
            """, [db.environment.rawValue, purchase.account])
    }

    /// Locks the row of an account, which is made if there is none.
    static func hold(_ account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO family_sharing (environment, account_id, bucket, revision, done)
            VALUES ($1, $2, $3, 0, 0)
            ON CONFLICT (environment, account_id, bucket) DO UPDATE SET done = family_sharing.done
            """, [db.environment.rawValue, account, account.bucket])
    }

    /// The accounts with changes that aren't carried out, after one, at most
    /// fifty. Those on which a process works are left out.
    static func due(after account: AccountIdentifier, _ db: StoreTransaction) throws -> [SharingWork] {
        try db.rows(
            """
            SELECT account_id, revision FROM family_sharing
            WHERE environment = $1 AND done < revision AND account_id > $2 AND leased_until <= wall_now($3)
            ORDER BY account_id LIMIT 50
            """, [db.environment.rawValue, account, db.now.milliseconds]
        ).map(SharingWork.init)
    }

    /// The changes of an account that aren't carried out; `nil` without any.
    static func due(of account: AccountIdentifier, _ db: StoreTransaction) throws -> SharingWork? {
        try db.row(
            """
            SELECT account_id, revision FROM family_sharing
            WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND done < revision
            """, [db.environment.rawValue, account, account.bucket]
        ).map(SharingWork.init)
    }

    /// The accounts with changes that aren't carried out; no time is known.
    static func backlog(_ db: StoreTransaction) throws -> Backlog {
        try Backlog(
            db.row(
                """
                SELECT count(*) AS n, CAST(NULL AS BIGINT) AS oldest FROM family_sharing
                WHERE environment = $1 AND done < revision
                """, [db.environment.rawValue]))
    }

    /// Saves that the changes up to the revision are carried out, and gives
    /// the lease back.
    func finish(_ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE family_sharing SET done = $3, leased_until = 0
            WHERE environment = $1 AND account_id = $2 AND bucket = $4 AND done < $3
            """, [db.environment.rawValue, account, revision, account.bucket])
    }
}

extension SharingWork {
    fileprivate init(_ row: Row) throws {
        self.init(account: try row.get("account_id"), revision: try row.get("revision"))
    }
}

extension Purchase {
    /// The purchases of an account that its seller and its customer share, and
    /// that aren't another account's: non-consumables, and periods that end
    /// after a moment.
    static func offered(
        by account: AccountIdentifier, after now: StoreTime, _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase JOIN product
                ON product.bundle_id = purchase.bundle_id AND product.product_id = purchase.product_id
            WHERE purchase.environment = $1 AND purchase.account_id = $2 AND purchase.bucket = $3
                AND purchase.revoked_at IS NULL AND purchase.shared_by IS NULL AND product.family_shareable = 1
                AND (purchase.kind = $4 AND purchase.transaction_id = purchase.original_transaction_id
                    OR purchase.kind = $5 AND purchase.expires_at > $6)
                AND NOT EXISTS (
                    SELECT 1 FROM subscription
                    WHERE subscription.environment = purchase.environment AND subscription.bucket = purchase.bucket
                        AND subscription.original_transaction_id = purchase.original_transaction_id
                        AND subscription.is_shared = 0)
            """,
            [
                db.environment.rawValue, account, account.bucket, Product.Kind.nonConsumable.rawValue,
                Product.Kind.autoRenewable.rawValue, now.milliseconds,
            ]
        ).map(Purchase.init)
    }

    /// The purchases that an account has from another one, oldest first; those
    /// that were revoked too.
    static func shared(
        by owner: AccountIdentifier, with account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase
            WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND shared_by = $4
            ORDER BY purchased_at, transaction_id
            """, [db.environment.rawValue, account, account.bucket, owner]
        ).map(Purchase.init)
    }

    /// The purchases of an account that another one has or had from it.
    static func sources(
        by owner: AccountIdentifier, with account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase
            WHERE environment = $1 AND bucket = $2 AND transaction_id IN (
                SELECT shared_from FROM purchase AS share
                WHERE share.environment = $1 AND share.account_id = $3 AND share.bucket = $4 AND share.shared_by = $5)
            """, [db.environment.rawValue, owner.bucket, account, account.bucket, owner]
        ).map(Purchase.init)
    }

    /// Saves that an account doesn't get a shared purchase again.
    static func withdraw(
        _ original: OriginalTransactionIdentifier, from account: AccountIdentifier, _ db: StoreTransaction
    ) throws {
        try db.run(
            """
            UPDATE purchase SET is_withdrawn = 1
            WHERE environment = $1 AND original_transaction_id = $2 AND bucket = $3 AND shared_by IS NOT NULL
            """, [db.environment.rawValue, original, account.bucket])
    }

    /// The purchases of an account that were taken away, of those that it has
    /// from another one.
    static func withdrawn(
        from account: AccountIdentifier, by owner: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Set<TransactionIdentifier> {
        Set(
            try db.rows(
                """
                SELECT transaction_id FROM purchase
                WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND shared_by = $4 AND is_withdrawn = 1
                """, [db.environment.rawValue, account, account.bucket, owner]
            ).map { try $0.get("transaction_id") })
    }

    /// Lets an account get withdrawn purchases again, after it has left the
    /// family of the other one.
    static func forgetWithdrawals(
        of account: AccountIdentifier, from owner: AccountIdentifier, _ db: StoreTransaction
    ) throws {
        try db.run(
            """
            UPDATE purchase SET is_withdrawn = 0
            WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND shared_by = $4 AND is_withdrawn = 1
            """, [db.environment.rawValue, account, account.bucket, owner])
    }

    /// The accounts that have purchases from an account, or from which it has
    /// some or had one that was taken away.
    static func partners(of account: AccountIdentifier, _ db: StoreTransaction) throws -> [AccountIdentifier] {
        try db.rows(
            """
            SELECT account_id AS partner FROM purchase
            WHERE environment = $1 AND shared_by = $2 AND revoked_at IS NULL
            UNION
            SELECT account_id AS partner FROM purchase
            WHERE environment = $1 AND shared_by = $2 AND is_withdrawn = 1
            UNION
            SELECT shared_by AS partner FROM purchase
            WHERE environment = $1 AND account_id = $2 AND shared_from IS NOT NULL AND revoked_at IS NULL
                AND bucket = $3
            UNION
            SELECT shared_by AS partner FROM purchase
            WHERE environment = $1 AND account_id = $2 AND is_withdrawn = 1 AND bucket = $3
            """, [db.environment.rawValue, account, account.bucket]
        ).map { try $0.get("partner") }
    }
}
