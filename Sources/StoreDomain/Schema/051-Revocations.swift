// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Refunds that are taken back, and shared purchases that are taken away
    /// from a member of a family.
    static let revocations = Migration(
        "051 revocations",
        [
            // Whether a revoked purchase was unfinished when it was revoked.
            "ALTER TABLE purchase ADD COLUMN was_unfinished BIGINT NOT NULL DEFAULT 0",
            // Whether the account doesn't get the purchase again from the same
            // account while both are in one family.
            "ALTER TABLE purchase ADD COLUMN is_withdrawn BIGINT NOT NULL DEFAULT 0",
            """
            CREATE INDEX purchase_withdrawn ON purchase (environment, shared_by, account_id) WHERE is_withdrawn = 1
            """,
            "CREATE INDEX purchase_withdrawn_from ON purchase (environment, account_id) WHERE is_withdrawn = 1",
            // A refund that is taken back waits for the provider, as one that
            // is made.
            "DROP INDEX refund_due",
            "CREATE INDEX refund_due ON refund (environment, refund_id) WHERE status IN ('due', 'reversing')",
            // Whether a refund of a purchase was taken back.
            """
            CREATE INDEX ledger_reversed ON ledger_entry (environment, transaction_id) WHERE kind = 'refund reversed'
            """,
            """
            CREATE INDEX event_reinstated ON event (environment, account_id, bundle_id, event_number)
            WHERE kind = 'reinstated'
            """,
            // Whether the sandbox's provider has taken the refund back.
            "ALTER TABLE sandbox_refund ADD COLUMN is_reversed BIGINT NOT NULL DEFAULT 0",
        ])
}
