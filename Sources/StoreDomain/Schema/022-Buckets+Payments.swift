// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// Payments and their refunds, with the bucket of the account that gets the
    /// purchase, and the rights to own non-consumables.
    static let paymentTables = [payments, refundRows, reservations]

    private static let payments = RebuiltTable(
        name: "payment",
        columns: [
            "environment TEXT NOT NULL",
            "payment_number TEXT NOT NULL",
            "bucket BIGINT NOT NULL",
            "device_id TEXT",
            "request_id TEXT",
            "original_transaction_id TEXT",
            "account_id TEXT NOT NULL",
            "payer_id TEXT NOT NULL",
            "payer_bucket BIGINT NOT NULL",
            "milliunits BIGINT NOT NULL CHECK (milliunits >= 0)",
            "returned_milliunits BIGINT NOT NULL DEFAULT 0",
            "currency TEXT NOT NULL",
            "storefront TEXT NOT NULL DEFAULT 'USA'",
            "status TEXT NOT NULL",
            "created_at BIGINT NOT NULL",
            "pending_until BIGINT",
            "action_address TEXT",
            "lease_owner TEXT",
            "leased_until BIGINT NOT NULL DEFAULT 0",
        ],
        constraints: [
            "PRIMARY KEY (environment, payment_number, bucket)",
            referenceToAccount(),
            "FOREIGN KEY (environment, payer_id, payer_bucket) REFERENCES account (environment, account_id, bucket)",
            "CHECK (returned_milliunits BETWEEN 0 AND milliunits)",
            "CHECK ((device_id IS NULL) = (request_id IS NULL))",
            "CHECK ((device_id IS NULL) = (original_transaction_id IS NOT NULL))",
        ],
        source: """
            SELECT payment.*, \(bucket(of: "account_id")) AS bucket, \(bucket(of: "payer_id")) AS payer_bucket
            FROM payment
            """,
        indexes: [
            """
            INDEX payment_open ON payment (environment, payment_number)
            WHERE status IN ('reserved', 'committed', 'voiding')
            """,
            """
            INDEX payment_pending ON payment (environment, pending_until, payment_number)
            WHERE status = 'pending'
            """,
            """
            INDEX payment_pending_of_request ON payment (environment, device_id, request_id)
            WHERE status = 'pending'
            """,
        ])

    private static let refundRows = RebuiltTable(
        name: "refund",
        columns: [
            "environment TEXT NOT NULL",
            "refund_id TEXT NOT NULL",
            "bucket BIGINT NOT NULL",
            "payment_number TEXT NOT NULL",
            "milliunits BIGINT NOT NULL CHECK (milliunits > 0)",
            "currency TEXT NOT NULL",
            "reason TEXT NOT NULL",
            "status TEXT NOT NULL",
            "created_at BIGINT NOT NULL",
            "lease_owner TEXT",
            "leased_until BIGINT NOT NULL DEFAULT 0",
        ],
        constraints: [
            "PRIMARY KEY (environment, refund_id, bucket)",
            """
            FOREIGN KEY (environment, payment_number, bucket)
                REFERENCES payment (environment, payment_number, bucket)
            """,
        ],
        source: """
            SELECT refund.*, \(bucket(of: "payment.account_id")) AS bucket
            FROM refund JOIN payment
                ON payment.environment = refund.environment AND payment.payment_number = refund.payment_number
            """,
        indexes: [
            "INDEX refund_of_payment ON refund (environment, payment_number)",
            "INDEX refund_due ON refund (environment, refund_id) WHERE status = 'due'",
        ])

    private static let reservations = RebuiltTable(
        name: "reservation",
        columns: [
            "environment TEXT NOT NULL",
            "account_id TEXT NOT NULL",
            "bucket BIGINT NOT NULL",
            "bundle_id TEXT NOT NULL",
            "product_id TEXT NOT NULL",
            "payment_number TEXT NOT NULL",
            "transaction_id TEXT",
        ],
        constraints: [],
        source: bucketed("reservation"),
        indexes: [
            """
            UNIQUE INDEX reservation_owned_once
            ON reservation (environment, account_id, bundle_id, product_id, bucket)
            """
        ])
}
