// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The revisions of purchases, and the issuer of sellers' tokens.
    static let serverAPI = Migration(
        "043 server api",
        [
            // The number of the account's newest event when the row was last
            // changed. It is 0 for a purchase whose events were deleted
            // before this migration, and for one that a node of an earlier
            // version makes during the upgrade.
            "ALTER TABLE purchase ADD COLUMN revision BIGINT NOT NULL DEFAULT 0",
            """
            UPDATE purchase SET revision = changed.number
            FROM (
                SELECT environment, transaction_id, bucket, max(event_number) AS number FROM event
                GROUP BY environment, transaction_id, bucket
            ) AS changed
            WHERE purchase.environment = changed.environment AND purchase.transaction_id = changed.transaction_id
                AND purchase.bucket = changed.bucket
            """,
            """
            CREATE INDEX purchase_of_revision
            ON purchase (environment, account_id, bundle_id, revision, transaction_id)
            """,
            // One row: the UUID that sellers' servers name as the issuer of
            // their tokens.
            """
            CREATE TABLE token_issuer (
                place BIGINT NOT NULL PRIMARY KEY CHECK (place = 1),
                issuer_id TEXT NOT NULL
            )
            """,
        ])
}
