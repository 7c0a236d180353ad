// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The ages of rows that the books don't need, and the indexes by which
    /// ``DeletingOldRows`` finds the old ones.
    ///
    /// Each index has the row's key after its age, so that a page of rows is
    /// one range of the index. The new columns are wall times. They are NULL
    /// in the rows of older versions, which get the time at which
    /// ``DeletingOldRows`` first finds them.
    static let retention = Migration(
        "016 retention",
        [
            "ALTER TABLE event ADD COLUMN created_at BIGINT",
            // The last change of its status or its answer.
            "ALTER TABLE request ADD COLUMN changed_at BIGINT",
            "ALTER TABLE restored_transaction ADD COLUMN created_at BIGINT",
            // The last call of the device, to the day.
            "ALTER TABLE device ADD COLUMN seen_at BIGINT",
            // NULL in a row with a value.
            "ALTER TABLE key_value ADD COLUMN removed_at BIGINT",
            "ALTER TABLE sandbox_payment ADD COLUMN created_at BIGINT",
            // A device that was away learns of refunds from their events,
            // which are kept.
            """
            CREATE INDEX event_age ON event (environment, created_at, account_id, event_number)
            WHERE kind <> 'revoked'
            """,
            """
            CREATE INDEX restored_transaction_age
            ON restored_transaction (environment, created_at, device_id, request_id, place)
            """,
            // A sign-in keeps the status `open` after its sheet was answered.
            """
            CREATE INDEX request_age ON request (environment, changed_at, device_id, request_id)
            WHERE status IN ('done', 'failed', 'open')
            """,
            """
            CREATE INDEX sheet_age ON sheet (environment, expires_at, token)
            WHERE status IN ('confirmed', 'cancelled', 'expired')
            """,
            "CREATE INDEX device_seen ON device (environment, seen_at, device_id)",
            "CREATE INDEX device_unused ON device (environment, seen_at, device_id) WHERE account_id IS NULL",
            """
            CREATE INDEX key_value_removed_age ON key_value (environment, removed_at, account_id, bundle_id, key_name)
            WHERE value IS NULL
            """,
            """
            CREATE INDEX sandbox_payment_settled ON sandbox_payment (created_at, payment_number)
            WHERE status IN ('declined', 'voided', 'refunded')
            """,
            """
            CREATE INDEX sandbox_payment_captured ON sandbox_payment (created_at, payment_number)
            WHERE status = 'captured'
            """,
            "DROP INDEX sheet_session_expiry",
            "CREATE INDEX sheet_session_expiry ON sheet_session (environment, expires_at, token_hash)",
            "DROP INDEX sign_in_throttle_age",
            "CREATE INDEX sign_in_throttle_age ON sign_in_throttle (environment, failed_at, kind, subject)",
            "CREATE INDEX serving_node_age ON serving_node (environment, seen_at, node_id)",
        ])
}
