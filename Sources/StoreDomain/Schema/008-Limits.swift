// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Limits on wrong passwords and on removed values, the storefront of a
    /// payment, and the reports of server processes.
    static let limits = Migration(
        "008 limits",
        [
            // The amount of a payment is in the currency of this storefront,
            // also when the account moves while the payment is under way.
            "ALTER TABLE payment ADD COLUMN storefront TEXT NOT NULL DEFAULT 'USA'",
            """
            UPDATE payment SET storefront = COALESCE(
                (SELECT purchase.storefront FROM purchase
                    WHERE purchase.environment = payment.environment AND purchase.device_id = payment.device_id
                        AND purchase.request_id = payment.request_id),
                (SELECT account.storefront FROM account
                    WHERE account.environment = payment.environment AND account.account_id = payment.account_id))
            """,
            "ALTER TABLE sheet ADD COLUMN wrong_passwords BIGINT NOT NULL DEFAULT 0",
            // Wrong passwords are counted per subject: an e-mail address, a
            // device, or an e-mail address on the device that it is signed in on.
            "DROP INDEX sign_in_throttle_age",
            "DROP TABLE sign_in_throttle",
            """
            CREATE TABLE sign_in_throttle (
                environment TEXT NOT NULL,
                kind TEXT NOT NULL,
                subject TEXT NOT NULL,
                failures BIGINT NOT NULL,
                failed_at BIGINT NOT NULL,
                blocked_until BIGINT NOT NULL,
                PRIMARY KEY (environment, kind, subject)
            )
            """,
            "CREATE INDEX sign_in_throttle_age ON sign_in_throttle (environment, failed_at)",
            // The newest event whose removals were deleted. A device that
            // received only older events needs all values again.
            """
            CREATE TABLE key_value_pruned (
                environment TEXT NOT NULL,
                account_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                event_number BIGINT NOT NULL,
                PRIMARY KEY (environment, account_id, bundle_id),
                FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id)
            )
            """,
            """
            CREATE INDEX key_value_removed ON key_value (environment, account_id, bundle_id, event_number)
            WHERE value IS NULL
            """,
            // Each server process updates its row at regular intervals. The
            // write fails when the disk is full, and the rows show whether
            // other processes serve the store.
            """
            CREATE TABLE serving_node (
                environment TEXT NOT NULL,
                node_id TEXT NOT NULL,
                seen_at BIGINT NOT NULL,
                PRIMARY KEY (environment, node_id)
            )
            """,
        ])
}
