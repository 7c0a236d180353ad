// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The offers of products, and their use by accounts.
    static let offers = Migration(
        "028 offers",
        [
            // The product's offers, a list in JSON that is read and replaced as
            // a whole; NULL for a product without one.
            "ALTER TABLE product ADD COLUMN offers TEXT",
            // The offer of a confirmed request, in JSON, until its purchase is
            // made.
            "ALTER TABLE request ADD COLUMN offer TEXT",
            // The promotional offer that a payment names, in JSON.
            "ALTER TABLE request ADD COLUMN discount TEXT",
            // The terms of a subscription that a customer has confirmed on a
            // sheet, in JSON, while the payment waits.
            "ALTER TABLE request ADD COLUMN confirmed TEXT",
            // The offer with which the purchase was made, in JSON.
            "ALTER TABLE purchase ADD COLUMN offer TEXT",
            """
            CREATE TABLE offer_use (
                environment TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                bucket BIGINT NOT NULL,
                account_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                group_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                offer_id TEXT NOT NULL,
                used_at BIGINT NOT NULL,
                PRIMARY KEY (environment, transaction_id, kind, offer_id, bucket),
                FOREIGN KEY (environment, account_id, bucket) REFERENCES account (environment, account_id, bucket)
            )
            """,
            """
            CREATE INDEX offer_use_of_account
            ON offer_use (environment, account_id, bundle_id, group_id, kind, offer_id, bucket)
            """,
            // The public keys of sellers' servers. The `bundle_id` is empty for
            // a key of all apps.
            """
            CREATE TABLE in_app_purchase_key (
                key_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                name TEXT NOT NULL,
                public_key blob NOT NULL,
                created_at BIGINT NOT NULL,
                revoked_at BIGINT,
                PRIMARY KEY (bundle_id, key_id)
            )
            """,
            // The nonces of signed offers, each of which serves one request.
            """
            CREATE TABLE offer_nonce (
                environment TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                key_id TEXT NOT NULL,
                nonce TEXT NOT NULL,
                used_at BIGINT NOT NULL,
                PRIMARY KEY (environment, bundle_id, key_id, nonce)
            )
            """,
            "CREATE INDEX offer_nonce_age ON offer_nonce (environment, used_at, bundle_id, key_id, nonce)",
            // An earlier version has left out the offers of the imported files:
            // the next start imports them again.
            "UPDATE catalogue_source SET checksum = ''",
        ])
}
