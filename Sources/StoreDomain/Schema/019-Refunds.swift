// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Payments without a device, the account that pays, and refunds of a
    /// part of a payment.
    ///
    /// SQLite can't remove `NOT NULL` from a column, so that the table of
    /// payments is made again. No foreign key of an older table names it.
    static let refunds = Migration(
        "019 refunds",
        [
            RebuiltTable.lock("payment"),
            // A payment is for the request of a device, or continues a chain
            // of purchases. `returned_milliunits` is the part of the amount
            // that is refunded, disputed or couldn't be collected.
            """
            CREATE TABLE payment_rebuilt (
                environment TEXT NOT NULL,
                payment_number TEXT NOT NULL,
                device_id TEXT,
                request_id TEXT,
                original_transaction_id TEXT,
                account_id TEXT NOT NULL,
                payer_id TEXT NOT NULL,
                milliunits BIGINT NOT NULL CHECK (milliunits >= 0),
                returned_milliunits BIGINT NOT NULL DEFAULT 0,
                currency TEXT NOT NULL,
                storefront TEXT NOT NULL DEFAULT 'USA',
                status TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                pending_until BIGINT,
                action_address TEXT,
                PRIMARY KEY (environment, payment_number),
                FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id),
                FOREIGN KEY (environment, payer_id) REFERENCES account (environment, account_id),
                CHECK (returned_milliunits BETWEEN 0 AND milliunits),
                CHECK ((device_id IS NULL) = (request_id IS NULL)),
                CHECK ((device_id IS NULL) = (original_transaction_id IS NOT NULL))
            )
            """,
            """
            INSERT INTO payment_rebuilt (environment, payment_number, device_id, request_id, account_id, payer_id,
                milliunits, returned_milliunits, currency, storefront, status, created_at, pending_until,
                action_address)
            SELECT environment, payment_number, device_id, request_id, account_id, account_id, milliunits,
                CASE WHEN status IN ('refunding', 'refunded') THEN milliunits ELSE 0 END, currency, storefront, status,
                created_at, pending_until, action_address
            FROM payment
            """,
            "DROP TABLE payment",
            "ALTER TABLE payment_rebuilt RENAME TO payment",
            // A refund that is due has a row of its own.
            """
            CREATE INDEX payment_open ON payment (environment, payment_number)
            WHERE status IN ('reserved', 'committed', 'voiding')
            """,
            """
            CREATE INDEX payment_pending ON payment (environment, pending_until, payment_number)
            WHERE status = 'pending'
            """,
            """
            CREATE INDEX payment_pending_of_request ON payment (environment, device_id, request_id)
            WHERE status = 'pending'
            """,
            "DROP INDEX ledger_refunded_once",
            "CREATE INDEX ledger_of_payment ON ledger_entry (environment, payment_number)",
            """
            CREATE TABLE refund (
                environment TEXT NOT NULL,
                refund_id TEXT NOT NULL,
                payment_number TEXT NOT NULL,
                milliunits BIGINT NOT NULL CHECK (milliunits > 0),
                currency TEXT NOT NULL,
                reason TEXT NOT NULL,
                status TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (environment, refund_id),
                FOREIGN KEY (environment, payment_number) REFERENCES payment (environment, payment_number)
            )
            """,
            // Until now a payment was refunded as a whole.
            """
            INSERT INTO refund (environment, refund_id, payment_number, milliunits, currency, reason, status,
                created_at)
            SELECT payment.environment, COALESCE(ledger_entry.entry_id, payment.payment_number),
                payment.payment_number, payment.milliunits, payment.currency, 'requested',
                CASE WHEN payment.status = 'refunding' THEN 'due' ELSE 'done' END,
                COALESCE(ledger_entry.at, payment.created_at)
            FROM payment LEFT JOIN ledger_entry
                ON ledger_entry.environment = payment.environment
                AND ledger_entry.payment_number = payment.payment_number AND ledger_entry.kind = 'refund'
            WHERE payment.status IN ('refunding', 'refunded') AND payment.milliunits > 0
            """,
            "CREATE INDEX refund_due ON refund (environment, refund_id) WHERE status = 'due'",
            "CREATE INDEX refund_of_payment ON refund (environment, payment_number)",
            // The sandbox provider's refunds, by which it carries out each of
            // them once.
            """
            CREATE TABLE sandbox_refund (
                refund_id TEXT NOT NULL PRIMARY KEY,
                payment_number TEXT NOT NULL,
                milliunits BIGINT NOT NULL,
                created_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX sandbox_refund_age ON sandbox_refund (created_at, refund_id)",
            "ALTER TABLE sandbox_payment ADD COLUMN refunded_milliunits BIGINT NOT NULL DEFAULT 0",
            "UPDATE sandbox_payment SET refunded_milliunits = milliunits WHERE status = 'refunded'",
        ])
}
