// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Purchases that a member of a family has from another member, and the
    /// parents who have to be notified of a child's request.
    static let familySharing = Migration(
        "037 family sharing",
        [
            // The account that shares a purchase, and its transaction there.
            // NULL for a purchase that the account has made itself.
            "ALTER TABLE purchase ADD COLUMN shared_by TEXT",
            "ALTER TABLE purchase ADD COLUMN shared_from TEXT",
            // A purchase is shared with an account once at a time.
            """
            CREATE UNIQUE INDEX purchase_shared ON purchase (environment, account_id, shared_from, bucket)
            WHERE shared_from IS NOT NULL AND revoked_at IS NULL
            """,
            """
            CREATE INDEX purchase_shared_by ON purchase (environment, shared_by, account_id)
            WHERE shared_by IS NOT NULL AND revoked_at IS NULL
            """,
            // `revision` counts the changes of an account's purchases and of
            // its family, `done` is the last one that was carried out.
            """
            CREATE TABLE family_sharing (
                environment TEXT NOT NULL,
                account_id TEXT NOT NULL,
                account_bucket BIGINT NOT NULL,
                revision BIGINT NOT NULL,
                done BIGINT NOT NULL,
                lease_owner TEXT,
                leased_until BIGINT NOT NULL DEFAULT 0,
                PRIMARY KEY (environment, account_id),
                FOREIGN KEY (environment, account_id, account_bucket)
                    REFERENCES account (environment, account_id, bucket)
            )
            """,
            """
            CREATE INDEX family_sharing_due ON family_sharing (environment, account_id) WHERE done < revision
            """,
            // Whether the subscriber shares the subscription, if the seller
            // does.
            "ALTER TABLE subscription ADD COLUMN is_shared BIGINT NOT NULL DEFAULT 1",
            // A product that its seller shares from now on, or doesn't any
            // more, as long as the accounts that have it aren't recorded in
            // `family_sharing`.
            """
            CREATE TABLE sharing_change (
                environment TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                revision BIGINT NOT NULL,
                PRIMARY KEY (environment, bundle_id, product_id)
            )
            """,
            // A parent who isn't notified yet of the request to buy with this
            // transaction identifier.
            """
            CREATE TABLE parent_notice (
                environment TEXT NOT NULL,
                account_id TEXT NOT NULL,
                account_bucket BIGINT NOT NULL,
                transaction_id TEXT NOT NULL,
                PRIMARY KEY (environment, account_id, transaction_id)
            )
            """,
        ])
}
