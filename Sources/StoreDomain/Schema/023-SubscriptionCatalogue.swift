// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The groups and plans of auto-renewable subscriptions, and the grace
    /// period of an app. Both environments share them, as the rest of the
    /// catalogue.
    ///
    /// A product's plan is the one of new purchases: a subscription keeps the
    /// plan that it was bought with.
    static let subscriptionCatalogue = Migration(
        "023 subscription catalogue",
        [
            """
            CREATE TABLE subscription_group (
                bundle_id TEXT NOT NULL REFERENCES app (bundle_id),
                group_id TEXT NOT NULL,
                reference_name TEXT NOT NULL,
                PRIMARY KEY (bundle_id, group_id)
            )
            """,
            """
            CREATE TABLE subscription_group_localization (
                bundle_id TEXT NOT NULL,
                group_id TEXT NOT NULL,
                locale TEXT NOT NULL,
                title TEXT NOT NULL,
                description TEXT NOT NULL,
                PRIMARY KEY (bundle_id, group_id, locale),
                FOREIGN KEY (bundle_id, group_id) REFERENCES subscription_group (bundle_id, group_id)
            )
            """,
            // `period` is a length of the calendar in the form of ISO 8601.
            """
            CREATE TABLE subscription_plan (
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                group_id TEXT NOT NULL,
                level BIGINT NOT NULL CHECK (level >= 1),
                period TEXT NOT NULL,
                PRIMARY KEY (bundle_id, product_id),
                FOREIGN KEY (bundle_id, product_id) REFERENCES product (bundle_id, product_id),
                FOREIGN KEY (bundle_id, group_id) REFERENCES subscription_group (bundle_id, group_id)
            )
            """,
            // The days for which an unpaid renewal keeps its subscription.
            """
            ALTER TABLE app ADD COLUMN grace_period_days BIGINT NOT NULL DEFAULT 0
                CHECK (grace_period_days IN (0, 3, 16, 28))
            """,
            // Earlier versions skipped the subscriptions of a file. Without its
            // checksum the file counts as changed, and the next start imports
            // it again.
            "UPDATE catalogue_source SET checksum = ''",
        ])
}
