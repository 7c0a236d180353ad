// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Payments that a provider answers later, and the events that providers
    /// send.
    static let providerEvents = Migration(
        "018 provider events",
        [
            // The end of a pending authorisation, and the address at which the
            // customer has to act; NULL unless the payment is pending or was.
            "ALTER TABLE payment ADD COLUMN pending_until BIGINT",
            "ALTER TABLE payment ADD COLUMN action_address TEXT",
            """
            CREATE INDEX payment_pending ON payment (environment, pending_until, payment_number)
            WHERE status = 'pending'
            """,
            """
            CREATE INDEX payment_pending_of_request ON payment (environment, device_id, request_id)
            WHERE status = 'pending'
            """,
            "DROP INDEX payment_open",
            """
            CREATE INDEX payment_open ON payment (environment, payment_number)
            WHERE status IN ('reserved', 'committed', 'refunding', 'voiding')
            """,
            // Why the payment of a sheet wasn't made.
            "ALTER TABLE sheet ADD COLUMN message TEXT",
            "DROP INDEX sheet_age",
            """
            CREATE INDEX sheet_age ON sheet (environment, expires_at, token)
            WHERE status IN ('confirmed', 'cancelled', 'declined', 'expired')
            """,
            """
            CREATE TABLE provider_event (
                environment TEXT NOT NULL,
                event_id TEXT NOT NULL,
                payment_number TEXT NOT NULL,
                kind TEXT NOT NULL,
                message TEXT,
                received_at BIGINT NOT NULL,
                handled_at BIGINT,
                outcome TEXT,
                PRIMARY KEY (environment, event_id)
            )
            """,
            """
            CREATE INDEX provider_event_due ON provider_event (environment, received_at, event_id)
            WHERE handled_at IS NULL
            """,
            """
            CREATE INDEX provider_event_age ON provider_event (environment, handled_at, event_id)
            WHERE handled_at IS NOT NULL
            """,
            // The time of the sandbox's answer, and the answer. Both are NULL
            // unless the payment is answered later.
            "ALTER TABLE sandbox_payment ADD COLUMN outcome TEXT",
            "ALTER TABLE sandbox_payment ADD COLUMN answers_at BIGINT",
            "ALTER TABLE sandbox_payment ADD COLUMN expires_at BIGINT",
            "ALTER TABLE sandbox_payment ADD COLUMN has_action BIGINT NOT NULL DEFAULT 0",
            // How the sandbox answers the payments of an account; the row with
            // an empty account is for all accounts without a row.
            """
            CREATE TABLE sandbox_answer (
                account_id TEXT NOT NULL PRIMARY KEY,
                answer TEXT NOT NULL,
                has_action BIGINT NOT NULL,
                lifetime BIGINT NOT NULL,
                outcome TEXT,
                delay BIGINT NOT NULL,
                is_sent_twice BIGINT NOT NULL,
                is_out_of_order BIGINT NOT NULL
            )
            """,
            // Events that the sandbox hasn't sent yet.
            """
            CREATE TABLE sandbox_event (
                event_id TEXT NOT NULL,
                sending BIGINT NOT NULL,
                payment_number TEXT NOT NULL,
                kind TEXT NOT NULL,
                due_at BIGINT NOT NULL,
                PRIMARY KEY (event_id, sending)
            )
            """,
            "CREATE INDEX sandbox_event_due ON sandbox_event (due_at, event_id, sending)",
        ])
}
