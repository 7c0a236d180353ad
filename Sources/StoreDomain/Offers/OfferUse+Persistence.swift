// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The record that an account has bought with an offer. It stays when the
/// purchase is refunded.
enum OfferUse {
    /// Saves the use of an offer by a purchase.
    static func insert(
        _ offer: AppliedOffer, in group: SubscriptionGroupIdentifier, by purchase: Purchase, _ db: StoreTransaction
    ) throws {
        try db.run(
            """
            INSERT INTO offer_use (environment, transaction_id, bucket, account_id, bundle_id, group_id, kind,
                offer_id, used_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (environment, transaction_id, kind, offer_id, bucket) DO NOTHING
            """,
            [
                db.environment.rawValue, purchase.transactionIdentifier, purchase.account.bucket, purchase.account,
                purchase.bundleIdentifier, group, offer.kind.rawValue, offer.identifier, purchase.date.milliseconds,
            ])
    }

    /// Whether an account has had an introductory offer of a group.
    static func hasIntroductory(
        of group: SubscriptionGroupIdentifier, by account: AccountIdentifier, bundleIdentifier: BundleIdentifier,
        _ db: StoreTransaction
    ) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM offer_use
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND group_id = $4 AND kind = $5
                AND bucket = $6
            LIMIT 1
            """,
            [
                db.environment.rawValue, account, bundleIdentifier, group,
                Product.Offer.Kind.introductory.rawValue, account.bucket,
            ]) != nil
    }

    /// When an account has last used an offer of a kind and a group; `nil`
    /// when it hasn't.
    static func last(
        _ kind: Product.Offer.Kind, of group: SubscriptionGroupIdentifier, by account: AccountIdentifier,
        bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> StoreTime? {
        let row = try db.row(
            """
            SELECT max(used_at) AS last FROM offer_use
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND group_id = $4 AND kind = $5
                AND bucket = $6
            """,
            [db.environment.rawValue, account, bundleIdentifier, group, kind.rawValue, account.bucket])
        let last: Int64? = try row?.get("last")
        return last.map(StoreTime.init(milliseconds:))
    }
}
