// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Requests, sheets, payments, purchases, and the queues and events that
    /// devices read.
    ///
    /// Uniqueness is a constraint here (rule R6): one answer per device and
    /// request identifier, one reservation per account and non-consumable,
    /// one queue entry per transaction and device, one charge per
    /// transaction.
    static let purchases = Migration(
        "003 purchases",
        [
            """
            CREATE TABLE request (
                environment TEXT NOT NULL,
                device_id TEXT NOT NULL,
                request_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                product_id TEXT,
                quantity BIGINT NOT NULL,
                username TEXT,
                status TEXT NOT NULL,
                account_id TEXT,
                transaction_id TEXT,
                event_number BIGINT,
                failure_code BIGINT,
                failure_message TEXT,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (environment, device_id, request_id),
                FOREIGN KEY (environment, device_id) REFERENCES device (environment, device_id)
            )
            """,
            """
            CREATE TABLE sheet (
                environment TEXT NOT NULL,
                token TEXT NOT NULL,
                device_id TEXT NOT NULL,
                request_id TEXT NOT NULL,
                status TEXT NOT NULL,
                expires_at BIGINT NOT NULL,
                closing_at BIGINT NOT NULL,
                PRIMARY KEY (environment, token),
                FOREIGN KEY (environment, device_id, request_id)
                    REFERENCES request (environment, device_id, request_id)
            )
            """,
            "CREATE UNIQUE INDEX sheet_request ON sheet (environment, device_id, request_id)",
            "CREATE INDEX sheet_open ON sheet (environment, closing_at) WHERE status = 'open'",
            """
            CREATE TABLE payment (
                environment TEXT NOT NULL,
                payment_number TEXT NOT NULL,
                device_id TEXT NOT NULL,
                request_id TEXT NOT NULL,
                account_id TEXT NOT NULL,
                milliunits BIGINT NOT NULL CHECK (milliunits >= 0),
                currency TEXT NOT NULL,
                status TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (environment, payment_number),
                FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id)
            )
            """,
            """
            CREATE INDEX payment_open ON payment (environment, payment_number)
            WHERE status IN ('reserved', 'committed')
            """,
            """
            CREATE TABLE reservation (
                environment TEXT NOT NULL,
                account_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                payment_number TEXT NOT NULL,
                transaction_id TEXT
            )
            """,
            """
            CREATE UNIQUE INDEX reservation_owned_once
            ON reservation (environment, account_id, bundle_id, product_id)
            """,
            """
            CREATE TABLE purchase (
                environment TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                original_transaction_id TEXT NOT NULL,
                account_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                quantity BIGINT NOT NULL CHECK (quantity > 0),
                username TEXT,
                purchased_at BIGINT NOT NULL,
                original_purchased_at BIGINT NOT NULL,
                milliunits BIGINT NOT NULL CHECK (milliunits >= 0),
                currency TEXT NOT NULL,
                storefront TEXT NOT NULL,
                device_id TEXT,
                request_id TEXT,
                is_in_receipt BIGINT NOT NULL,
                revoked_at BIGINT,
                PRIMARY KEY (environment, transaction_id),
                FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id)
            )
            """,
            "CREATE UNIQUE INDEX purchase_request ON purchase (environment, device_id, request_id)",
            """
            CREATE INDEX purchase_in_receipt ON purchase (environment, account_id, bundle_id, purchased_at)
            WHERE is_in_receipt = 1
            """,
            """
            CREATE TABLE ledger_entry (
                environment TEXT NOT NULL,
                entry_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                account_id TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                payment_number TEXT,
                milliunits BIGINT NOT NULL,
                currency TEXT NOT NULL,
                at BIGINT NOT NULL,
                PRIMARY KEY (environment, entry_id),
                FOREIGN KEY (environment, transaction_id) REFERENCES purchase (environment, transaction_id)
            )
            """,
            """
            CREATE UNIQUE INDEX ledger_charged_once ON ledger_entry (environment, transaction_id)
            WHERE kind = 'charge'
            """,
            """
            CREATE TABLE queue_entry (
                environment TEXT NOT NULL,
                device_id TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                account_id TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                request_id TEXT,
                event_number BIGINT NOT NULL,
                PRIMARY KEY (environment, device_id, transaction_id),
                FOREIGN KEY (environment, transaction_id) REFERENCES purchase (environment, transaction_id)
            )
            """,
            "CREATE INDEX queue_entry_of_app ON queue_entry (environment, device_id, bundle_id, event_number)",
            "CREATE INDEX queue_entry_of_transaction ON queue_entry (environment, transaction_id)",
            """
            CREATE TABLE event (
                environment TEXT NOT NULL,
                account_id TEXT NOT NULL,
                event_number BIGINT NOT NULL,
                kind TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                PRIMARY KEY (environment, account_id, event_number)
            )
            """,
            """
            CREATE TABLE restored_transaction (
                environment TEXT NOT NULL,
                device_id TEXT NOT NULL,
                request_id TEXT NOT NULL,
                place BIGINT NOT NULL,
                transaction_id TEXT NOT NULL,
                restores_transaction_id TEXT NOT NULL,
                restored_at BIGINT NOT NULL,
                PRIMARY KEY (environment, device_id, request_id, place),
                FOREIGN KEY (environment, restores_transaction_id) REFERENCES purchase (environment, transaction_id)
            )
            """,
            "CREATE UNIQUE INDEX restored_transaction_id ON restored_transaction (environment, transaction_id)",
            """
            CREATE TABLE sandbox_payment (
                payment_number TEXT NOT NULL PRIMARY KEY,
                status TEXT NOT NULL,
                milliunits BIGINT NOT NULL,
                currency TEXT NOT NULL
            )
            """,
        ])
}
