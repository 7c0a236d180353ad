// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The contacts that customers share with sellers for a longer period.
    static let sharedContacts = Migration(
        "025 shared contacts",
        [
            // The length by which the first period is longer, in the form of
            // ISO 8601; NULL for a product that offers none.
            "ALTER TABLE subscription_plan ADD COLUMN contact_bonus TEXT",
            // The contact of a confirmed request, in JSON, until its purchase
            // is made. The seller doesn't receive it before.
            "ALTER TABLE request ADD COLUMN contact TEXT",
            """
            CREATE TABLE shared_contact (
                environment TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                bucket BIGINT NOT NULL,
                account_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                name TEXT NOT NULL,
                email TEXT NOT NULL,
                postcode TEXT NOT NULL,
                shared_at BIGINT NOT NULL,
                PRIMARY KEY (environment, transaction_id, bucket),
                FOREIGN KEY (environment, account_id, bucket) REFERENCES account (environment, account_id, bucket)
            )
            """,
            "CREATE INDEX shared_contact_of_account ON shared_contact (environment, account_id, bundle_id, bucket)",
            "CREATE INDEX shared_contact_of_app ON shared_contact (environment, bundle_id, shared_at, transaction_id)",
        ])
}
