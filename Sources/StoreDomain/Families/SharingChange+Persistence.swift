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

    /// The families' members after one, at most fifty, with whether they have
    /// or had the product.
    func members(after account: AccountIdentifier, _ db: StoreTransaction) throws -> [(AccountIdentifier, Bool)] {
        try db.rows(
            """
            SELECT account_id, CASE WHEN EXISTS (
                    SELECT 1 FROM purchase
                    WHERE purchase.environment = family_member.environment
                        AND purchase.account_id = family_member.account_id
                        AND purchase.bucket = family_member.account_bucket AND purchase.bundle_id = $3
                        AND purchase.product_id = $4) THEN 1 ELSE 0 END AS has_product
            FROM family_member WHERE environment = $1 AND account_id > $2 ORDER BY account_id LIMIT 50
            """, [db.environment.rawValue, account, bundleIdentifier, productIdentifier]
        ).map { (try $0.get("account_id"), try $0.get("has_product")) }
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
