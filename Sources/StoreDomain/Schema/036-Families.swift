// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Families, and the requests of their children.
    static let families = Migration(
        "036 families",
        [
            // An account is in one family.
            """
            CREATE TABLE family_member (
                environment TEXT NOT NULL,
                account_id TEXT NOT NULL,
                account_bucket BIGINT NOT NULL,
                family_id TEXT NOT NULL,
                role TEXT NOT NULL,
                joined_at BIGINT NOT NULL,
                PRIMARY KEY (environment, account_id),
                FOREIGN KEY (environment, account_id, account_bucket)
                    REFERENCES account (environment, account_id, bucket)
            )
            """,
            "CREATE INDEX family_member_of_family ON family_member (environment, family_id, account_id)",
            """
            CREATE UNIQUE INDEX family_organiser ON family_member (environment, family_id)
            WHERE role = 'organiser'
            """,
            // The end of a request that waits for an approval: in the
            // account's time, and in the wall's. NULL when it has none.
            "ALTER TABLE request ADD COLUMN answer_until BIGINT",
            "ALTER TABLE request ADD COLUMN answer_due_at BIGINT",
            """
            CREATE INDEX request_deferred ON request (environment, account_id, transaction_id)
            WHERE status = 'deferred'
            """,
            """
            CREATE INDEX request_unanswered ON request (environment, answer_due_at, device_id, request_id)
            WHERE status = 'deferred' AND answer_due_at IS NOT NULL
            """,
        ])
}
