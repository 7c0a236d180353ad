// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The record that a seller shares a product from now on, or doesn't any more,
/// as long as the accounts that have it aren't recorded in ``SharingWork``
/// (table `sharing_change`).
struct SharingChange: Hashable, Sendable {
    var bundleIdentifier: BundleIdentifier
    var productIdentifier: ProductIdentifier
    /// Counts the changes of the product since the row was made.
    var revision: Int64

    /// Records a change in both environments if a product, which is about to be
    /// saved, is saved already with the other choice.
    static func note(_ product: Product, _ db: StoreTransaction) throws {
        for environment in StoreEnvironment.all {
            try db.run(
                """
                INSERT INTO sharing_change (environment, bundle_id, product_id, revision)
                SELECT $1, bundle_id, product_id, 1 FROM product
                WHERE bundle_id = $2 AND product_id = $3 AND family_shareable <> $4
                ON CONFLICT (environment, bundle_id, product_id) DO UPDATE SET revision = sharing_change.revision + 1
                """,
                [
                    environment.rawValue, product.bundleIdentifier, product.productIdentifier,
                    product.isFamilyShareable,
                ])
        }
    }

    /// The changes that aren't carried out, at most fifty.
    static func due(_ db: StoreTransaction) throws -> [SharingChange] {
        try db.rows(
            """
            SELECT bundle_id, product_id, revision FROM sharing_change
            WHERE environment = $1 ORDER BY bundle_id, product_id LIMIT 50
            """, [db.environment.rawValue]
        ).map {
            SharingChange(
                bundleIdentifier: try $0.get("bundle_id"), productIdentifier: try $0.get("product_id"),
                revision: try $0.get("revision"))
        }
    }

    /// The families' members after one, at most fifty.
    static func members(after account: AccountIdentifier, _ db: StoreTransaction) throws -> [AccountIdentifier] {
        try db.rows(
            """
            SELECT account_id FROM family_member
            WHERE environment = $1 AND account_id > $2 ORDER BY account_id LIMIT 50
            """, [db.environment.rawValue, account]
        ).map { try $0.get("account_id") }
    }

    /// Whether an account has or had the product.
    ///
    /// It isn't a part of ``members(after:_:)``: PostgreSQL would read all
    /// purchases of the product for fifty members.
    func concerns(_ account: AccountIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM purchase
            WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND bundle_id = $4 AND product_id = $5 LIMIT 1
            """,
            [db.environment.rawValue, account, account.bucket, bundleIdentifier, productIdentifier]) != nil
    }

    /// Deletes the record, unless the product has changed again.
    func finish(_ db: StoreTransaction) throws {
        try db.run(
            """
            DELETE FROM sharing_change
            WHERE environment = $1 AND bundle_id = $2 AND product_id = $3 AND revision = $4
            """, [db.environment.rawValue, bundleIdentifier, productIdentifier, revision])
    }
}
