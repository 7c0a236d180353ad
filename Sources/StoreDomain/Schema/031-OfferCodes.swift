// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The codes of offers, and their redemption by accounts.
    static let offerCodes = Migration(
        "031 offer codes",
        [
            // The code with which a redemption pays, in JSON, from the
            // customer's confirmation.
            "ALTER TABLE request ADD COLUMN code TEXT",
            // The `offer_id` is empty for promo codes. A batch can be used when
            // all of its codes are saved: `made` is `size` then.
            """
            CREATE TABLE offer_code_batch (
                environment TEXT NOT NULL,
                batch_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                offer_id TEXT NOT NULL,
                name TEXT NOT NULL,
                size BIGINT NOT NULL,
                uses_limit BIGINT NOT NULL,
                fingerprint TEXT NOT NULL,
                made BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                expires_at BIGINT,
                revoked_at BIGINT,
                PRIMARY KEY (environment, batch_id)
            )
            """,
            """
            CREATE INDEX offer_code_batch_of_app
            ON offer_code_batch (environment, bundle_id, created_at, batch_id)
            """,
            """
            CREATE TABLE offer_code (
                environment TEXT NOT NULL,
                hash TEXT NOT NULL,
                batch_id TEXT NOT NULL,
                number BIGINT NOT NULL,
                uses BIGINT NOT NULL,
                uses_limit BIGINT NOT NULL,
                PRIMARY KEY (environment, hash)
            )
            """,
            "CREATE INDEX offer_code_redeemed ON offer_code (environment, batch_id, number, uses) WHERE uses > 0",
            // The transaction is that of the purchase, or the one whose next
            // period has the offer; NULL until then.
            """
            CREATE TABLE code_redemption (
                environment TEXT NOT NULL,
                payment_number TEXT NOT NULL,
                bucket BIGINT NOT NULL,
                account_id TEXT NOT NULL,
                hash TEXT NOT NULL,
                batch_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                offer_id TEXT NOT NULL,
                transaction_id TEXT,
                redeemed_at BIGINT NOT NULL,
                PRIMARY KEY (environment, payment_number, bucket),
                FOREIGN KEY (environment, account_id, bucket) REFERENCES account (environment, account_id, bucket)
            )
            """,
            """
            CREATE INDEX code_redemption_of_account
            ON code_redemption (environment, account_id, bundle_id, product_id, offer_id, bucket)
            """,
            "CREATE INDEX code_redemption_purchase ON code_redemption (environment, transaction_id, bucket)",
        ])
}
