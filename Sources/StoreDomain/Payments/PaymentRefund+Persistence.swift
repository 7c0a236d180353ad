// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension PaymentRefund {
    private static let columns = """
        refund.refund_id, refund.milliunits AS refund_milliunits, refund.currency AS refund_currency, refund.reason,
        refund.status AS refund_status
        """

    private init(_ row: Row, of payment: PaymentIdentifier) throws {
        self.init(
            identifier: try row.get("refund_id"), payment: payment,
            amount: Money(milliunits: try row.get("refund_milliunits"), currency: try row.get("refund_currency")),
            reason: Reason(rawValue: try row.get("reason")), status: Status(rawValue: try row.get("refund_status")))
    }

    /// Saves the refund of a payment of an account.
    func insert(of account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO refund (environment, refund_id, payment_number, milliunits, currency, reason, status,
                created_at, bucket)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                db.environment.rawValue, identifier, payment, amount.milliunits, amount.currency, reason.rawValue,
                status.rawValue, db.now.milliseconds, account.bucket,
            ])
    }

    /// A refund with its payment.
    struct Ordered: Sendable {
        var refund: PaymentRefund
        var payment: Payment
    }

    /// A refund of a payment of an account.
    static func find(
        _ identifier: RefundIdentifier, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Ordered? {
        try db.row(
            """
            SELECT \(columns), \(Payment.columns) FROM refund JOIN payment
                ON payment.environment = refund.environment AND payment.payment_number = refund.payment_number
                AND payment.bucket = refund.bucket
            WHERE refund.environment = $1 AND refund.refund_id = $2 AND refund.bucket = $3
            """, [db.environment.rawValue, identifier, account.bucket]
        ).map(ordered)
    }

    /// Refunds that the provider hasn't carried out or taken back, in order of their
    /// identifiers, after `last`, at most twenty. A refund whose lease hasn't
    /// run out is left out.
    ///
    /// Earlier versions take no leases. A refund without one is due when it was
    /// made until `limit`, and when its time is in the future, because it was
    /// made while a clock was wrong.
    static func due(
        madeUntil limit: WallTime, after last: RefundIdentifier, _ db: StoreTransaction
    ) throws -> [Ordered] {
        try db.rows(
            """
            SELECT \(columns), \(Payment.columns) FROM refund JOIN payment
                ON payment.environment = refund.environment AND payment.payment_number = refund.payment_number
                AND payment.bucket = refund.bucket
            WHERE refund.environment = $1 AND refund.status IN ('due', 'reversing') AND refund.refund_id > $2
                AND refund.leased_until <= wall_now($4)
                AND (refund.lease_owner IS NOT NULL OR refund.created_at <= $3 OR refund.created_at > $4)
            ORDER BY refund.refund_id LIMIT 20
            """, [db.environment.rawValue, last, limit.milliseconds, db.now.milliseconds]
        ).map(ordered)
    }

    /// The refunds of a payment of an account, in order of their identifiers.
    static func all(of payment: Payment, _ db: StoreTransaction) throws -> [PaymentRefund] {
        try db.rows(
            """
            SELECT \(columns) FROM refund WHERE environment = $1 AND payment_number = $2 AND bucket = $3
            ORDER BY refund_id
            """, [db.environment.rawValue, payment.number, payment.account.bucket]
        ).map { try PaymentRefund($0, of: payment.number) }
    }

    /// Moves the refund of a payment of an account from one status to another;
    /// `false` when its status is another one.
    func move(
        from old: Status, to new: Status, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Bool {
        try db.run(
            """
            UPDATE refund SET status = $5 WHERE environment = $1 AND refund_id = $2 AND bucket = $3 AND status = $4
            """, [db.environment.rawValue, identifier, account.bucket, old.rawValue, new.rawValue]) == 1
    }

    private static func ordered(_ row: Row) throws -> Ordered {
        let payment = try Payment(row)
        return Ordered(refund: try PaymentRefund(row, of: payment.number), payment: payment)
    }

    /// Records that the provider has given back the amount. A payment of
    /// which nothing is left is refunded with its last refund.
    func becomeDone(of payment: Payment, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE refund SET status = 'done' WHERE environment = $1 AND refund_id = $2 AND bucket = $3 AND status = 'due'
            """, [db.environment.rawValue, identifier, payment.account.bucket])
        let other = try db.row(
            """
            SELECT 1 AS one FROM refund
            WHERE environment = $1 AND payment_number = $2 AND bucket = $3 AND status = 'due' LIMIT 1
            """, [db.environment.rawValue, payment.number, payment.account.bucket])
        if other == nil { _ = try payment.move(from: .refunding, to: .refunded, db) }
    }
}
