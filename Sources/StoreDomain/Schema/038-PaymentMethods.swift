// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The payment methods of customers, and the one that each payment is
    /// charged by.
    static let paymentMethods = Migration(
        "038 payment methods",
        [
            """
            CREATE TABLE payment_method (
                environment TEXT NOT NULL,
                account_id TEXT NOT NULL,
                account_bucket BIGINT NOT NULL,
                method_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                label TEXT NOT NULL,
                digits TEXT NOT NULL,
                reference TEXT NOT NULL,
                expires_store_at BIGINT,
                added_at BIGINT NOT NULL,
                PRIMARY KEY (environment, account_id, method_id),
                FOREIGN KEY (environment, account_id, account_bucket)
                    REFERENCES account (environment, account_id, bucket)
            )
            """,
            // The preferred method. NULL for an account that never had one,
            // and empty for one that has removed its last one.
            "ALTER TABLE account ADD COLUMN payment_method TEXT",
            // A copy of the method's row, which may be removed before the
            // payment is charged. NULL for the provider's standard method.
            "ALTER TABLE payment ADD COLUMN method_id TEXT",
            "ALTER TABLE payment ADD COLUMN method_reference TEXT",
        ])
}
