// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The changes that sellers' servers make with the App Store Server API.
    static let serverChanges = Migration(
        "044 server changes",
        [
            // The seller's information about a purchase whose refund was asked
            // for, as JSON; NULL without any, and after the account was closed.
            "ALTER TABLE refund_request ADD COLUMN consumption TEXT",
            // The tokens that servers have set for a purchase and those that
            // refer to it. They replace the user name of the payment.
            """
            CREATE TABLE account_token (
                environment TEXT NOT NULL,
                original_transaction_id TEXT NOT NULL,
                bucket BIGINT NOT NULL,
                token TEXT NOT NULL,
                set_at BIGINT NOT NULL,
                PRIMARY KEY (environment, original_transaction_id, bucket)
            )
            """,
            // `storefronts` has country codes with spaces between them, and is
            // empty for all. `place` is the last subscription that was read,
            // and empty before the first one.
            """
            CREATE TABLE mass_extension (
                environment TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                request_id TEXT NOT NULL,
                days BIGINT NOT NULL,
                reason BIGINT NOT NULL,
                storefronts TEXT NOT NULL,
                place TEXT NOT NULL,
                succeeded BIGINT NOT NULL,
                failed BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                completed_at BIGINT,
                PRIMARY KEY (environment, bundle_id, product_id, request_id)
            )
            """,
            """
            CREATE INDEX mass_extension_open
            ON mass_extension (environment, created_at, bundle_id, product_id, request_id)
            WHERE completed_at IS NULL
            """,
        ])
}
