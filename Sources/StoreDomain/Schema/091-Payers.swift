// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The payers of subscriptions, and one shared contact of an account and
    /// app.
    static let payers = Migration(
        "091 payers",
        [
            // The account that has agreed to pay the periods that follow the
            // newest one that was bought; NULL before the first one.
            "ALTER TABLE subscription ADD COLUMN payer_id TEXT",
            // No device has asked for a renewal. A purchase that costs nothing
            // has a charge in the ledger, too.
            """
            UPDATE subscription SET payer_id = (
                SELECT ledger_entry.account_id FROM purchase JOIN ledger_entry
                    ON ledger_entry.environment = purchase.environment
                    AND ledger_entry.transaction_id = purchase.transaction_id
                    AND ledger_entry.bucket = purchase.bucket AND ledger_entry.kind = 'charge'
                WHERE purchase.environment = subscription.environment AND purchase.bucket = subscription.bucket
                    AND purchase.original_transaction_id = subscription.original_transaction_id
                    AND purchase.device_id IS NOT NULL
                ORDER BY purchase.purchased_at DESC, purchase.transaction_id DESC LIMIT 1)
            """,
            // An earlier version could take a second contact while the payment
            // of the first one was under way: the first one stays.
            """
            DELETE FROM shared_contact WHERE EXISTS (
                SELECT 1 FROM shared_contact AS earlier
                WHERE earlier.environment = shared_contact.environment AND earlier.bucket = shared_contact.bucket
                    AND earlier.account_id = shared_contact.account_id
                    AND earlier.bundle_id = shared_contact.bundle_id
                    AND (earlier.shared_at < shared_contact.shared_at
                        OR earlier.shared_at = shared_contact.shared_at
                            AND earlier.transaction_id < shared_contact.transaction_id))
            """,
            "DROP INDEX shared_contact_of_account",
            """
            CREATE UNIQUE INDEX shared_contact_of_account
            ON shared_contact (environment, account_id, bundle_id, bucket)
            """,
        ])
}
