// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Subscription {
    /// The events `extended` of all periods, oldest first.
    func extensions(_ db: StoreTransaction) throws -> [SubscriptionEvent] {
        try db.rows(
            """
            SELECT kind, at, details FROM subscription_event
            WHERE environment = $1 AND original_transaction_id = $2 AND bucket = $3 AND kind = 'extended'
            ORDER BY number
            """, [db.environment.rawValue, original, account.bucket]
        ).map(SubscriptionEvent.init)
    }

    /// A subscription without its events.
    struct Key: Hashable, Sendable {
        var original: OriginalTransactionIdentifier
        var account: AccountIdentifier
        var bundleIdentifier: BundleIdentifier
    }

    /// The subscriptions of all accounts in an app, in order of their
    /// identifiers, after `last`.
    static func page(
        of app: BundleIdentifier, after last: OriginalTransactionIdentifier?, limit: Int, _ db: StoreTransaction
    ) throws -> [Key] {
        try db.rows(
            """
            SELECT original_transaction_id, account_id, bundle_id FROM subscription
            WHERE environment = $1 AND bundle_id = $2 AND original_transaction_id > $3
            ORDER BY original_transaction_id LIMIT $4
            """, [db.environment.rawValue, app, last ?? "", limit]
        ).map {
            Key(
                original: try $0.get("original_transaction_id"), account: try $0.get("account_id"),
                bundleIdentifier: try $0.get("bundle_id"))
        }
    }
}
