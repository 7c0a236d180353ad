// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension SubscriptionGroup {
    /// The groups of an app, in order of their identifiers, with their texts
    /// in order of the locales.
    static func all(of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws -> [SubscriptionGroup] {
        let texts = try Dictionary(
            grouping: db.rows(
                """
                SELECT group_id, locale, title, description FROM subscription_group_localization
                WHERE bundle_id = $1 ORDER BY group_id, locale
                """, [bundleIdentifier]),
            by: { row in try row.get("group_id") as String })
        return try names(of: bundleIdentifier, db).map { group in
            var group = group
            group.localizations = try (texts[group.identifier.rawValue] ?? []).map { text in
                Product.Localization(
                    locale: try text.get("locale"), title: try text.get("title"),
                    description: try text.get("description"))
            }
            return group
        }
    }

    /// The groups of an app without their texts, in order of their identifiers.
    static func names(of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws -> [SubscriptionGroup] {
        try db.rows(
            "SELECT group_id, reference_name FROM subscription_group WHERE bundle_id = $1 ORDER BY group_id",
            [bundleIdentifier]
        ).map { row in
            SubscriptionGroup(
                bundleIdentifier: bundleIdentifier, identifier: try row.get("group_id"),
                referenceName: try row.get("reference_name"))
        }
    }

    /// Saves the group with its texts, and counts the edit. A group is never deleted, because
    /// subscriptions name it.
    func save(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO subscription_group (bundle_id, group_id, reference_name, bytes, edit_number)
            VALUES ($1, $2, $3, $4, 1)
            ON CONFLICT (bundle_id, group_id) DO UPDATE SET
                reference_name = excluded.reference_name, bytes = excluded.bytes,
                edit_number = subscription_group.edit_number + 1
            """, [bundleIdentifier, identifier, referenceName, bytes])
        try db.run(
            "DELETE FROM subscription_group_localization WHERE bundle_id = $1 AND group_id = $2",
            [bundleIdentifier, identifier])
        for localization in localizations {
            try db.run(
                """
                INSERT INTO subscription_group_localization (bundle_id, group_id, locale, title, description)
                VALUES ($1, $2, $3, $4, $5)
                """,
                [bundleIdentifier, identifier, localization.locale, localization.title, localization.description])
        }
    }
}
