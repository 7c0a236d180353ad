// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Purchase {
    /// A purchase with the place of its newest change.
    struct Revised: Sendable {
        var purchase: Purchase
        var revision: PurchaseRevision

        init(_ row: Row) throws {
            purchase = try Purchase(row)
            revision = PurchaseRevision(
                number: try row.get("revision"), transaction: purchase.transactionIdentifier)
        }
    }

    /// The purchases of an account and app that were changed after a place,
    /// the oldest change first.
    static func revised(
        after place: PurchaseRevision, of account: AccountIdentifier, bundleIdentifier: BundleIdentifier, limit: Int,
        _ db: StoreTransaction
    ) throws -> [Revised] {
        try db.rows(
            """
            SELECT \(columns), purchase.revision FROM purchase
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $4
                AND (revision, transaction_id) > ($5, $6)
            ORDER BY revision, transaction_id LIMIT $7
            """,
            [
                db.environment.rawValue, account, bundleIdentifier, account.bucket, place.number, place.transaction,
                limit,
            ]
        ).map(Revised.init)
    }

    /// The purchases of an account and app that were changed before a place,
    /// the newest change first.
    static func revised(
        before place: PurchaseRevision, of account: AccountIdentifier, bundleIdentifier: BundleIdentifier, limit: Int,
        _ db: StoreTransaction
    ) throws -> [Revised] {
        try db.rows(
            """
            SELECT \(columns), purchase.revision FROM purchase
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $4
                AND (revision, transaction_id) < ($5, $6)
            ORDER BY revision DESC, transaction_id DESC LIMIT $7
            """,
            [
                db.environment.rawValue, account, bundleIdentifier, account.bucket, place.number, place.transaction,
                limit,
            ]
        ).map(Revised.init)
    }
}
