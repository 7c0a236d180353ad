// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension Payment {
    /// The columns that ``init(_:)`` reads.
    static let columns = """
        payment.payment_number, payment.device_id, payment.request_id, payment.original_transaction_id,
        payment.account_id, payment.payer_id, payment.milliunits, payment.returned_milliunits, payment.currency,
        payment.storefront, payment.status, payment.pending_until, payment.action_address, payment.due_store_at,
        payment.method_id, payment.method_reference
        """

    init(_ row: Row) throws {
        self.init(
            number: try row.get("payment_number"), purpose: try Purpose(row), account: try row.get("account_id"),
            payer: try row.get("payer_id"),
            amount: Money(milliunits: try row.get("milliunits"), currency: try row.get("currency")),
            returned: try row.get("returned_milliunits"), storefront: try row.get("storefront"),
            status: Status(rawValue: try row.get("status")))
        let expires: Int64? = try row.get("pending_until")
        pending = try expires.map {
            PendingAuthorisation(address: try row.get("action_address"), expires: WallTime(milliseconds: $0))
        }
        let moment: Int64? = try row.get("due_store_at")
        due = moment.map(StoreTime.init(milliseconds:))
        let identifier: PaymentMethodIdentifier? = try row.get("method_id")
        method = try identifier.map {
            PaymentMethod.Charged(identifier: $0, reference: try row.get("method_reference"))
        }
    }

    /// The payment of a number whose account isn't known, such as that of a
    /// provider's event.
    static func find(_ number: PaymentIdentifier, _ db: StoreTransaction) throws -> Payment? {
        try db.row(
            "SELECT \(columns) FROM payment WHERE environment = $1 AND payment_number = $2",
            [db.environment.rawValue, number]
        ).map(Payment.init)
    }

    /// A payment of an account.
    static func find(
        _ number: PaymentIdentifier, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Payment? {
        try db.row(
            "SELECT \(columns) FROM payment WHERE environment = $1 AND payment_number = $2 AND bucket = $3",
            [db.environment.rawValue, number, account.bucket]
        ).map(Payment.init)
    }

    /// The payment as it is saved now.
    func current(_ db: StoreTransaction) throws -> Payment? { try Payment.find(number, of: account, db) }

    /// Saves a new payment, on which this process has a lease.
    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO payment (environment, payment_number, device_id, request_id, original_transaction_id,
                account_id, payer_id, milliunits, currency, storefront, status, created_at, lease_owner,
                leased_until, bucket, payer_bucket, due_store_at, method_id, method_reference)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, wall_now($12) + $14, $15, $16, $17,
                $18, $19)
            """,
            [
                db.environment.rawValue, number, purpose.device, purpose.request, purpose.original, account, payer,
                amount.milliunits, amount.currency, storefront, status.rawValue, db.now.milliseconds, db.leaseOwner,
                db.leaseDuration.milliseconds, account.bucket, payer.bucket, due?.milliseconds,
                method?.identifier, method?.reference,
            ])
    }

    /// The request that is paid for; `nil` for another purpose, and when the
    /// request doesn't exist any more.
    func request(_ db: StoreTransaction) throws -> DeviceRequest? {
        guard case .request(let request, let device) = purpose else { return nil }
        return try DeviceRequest.find(request, of: device, db)
    }

    /// The payment that a purchase was charged by; `nil` when it cost nothing.
    static func of(_ purchase: Purchase, _ db: StoreTransaction) throws -> Payment? {
        try db.row(
            """
            SELECT \(columns) FROM ledger_entry JOIN payment
                ON payment.environment = ledger_entry.environment
                AND payment.payment_number = ledger_entry.payment_number AND payment.bucket = ledger_entry.bucket
            WHERE ledger_entry.environment = $1 AND ledger_entry.transaction_id = $2 AND ledger_entry.bucket = $3
                AND ledger_entry.kind = 'charge'
            """, [db.environment.rawValue, purchase.transactionIdentifier, purchase.account.bucket]
        ).map(Payment.init)
    }

    /// Moves the payment from one status to another; `false` when its status
    /// is another one.
    func move(from old: Status, to new: Status, _ db: StoreTransaction) throws
        -> Bool
    {
        try move(from: old, or: old, to: new, db)
    }

    /// Moves the payment from either of two statuses to a third.
    ///
    /// One statement, because at READ COMMITTED another transaction may move
    /// the payment from the first status to the second between two
    /// statements.
    func move(from old: Status, or other: Status, to new: Status, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE payment SET status = $5
            WHERE environment = $1 AND payment_number = $2 AND bucket = $6 AND status IN ($3, $4)
            """,
            [db.environment.rawValue, number, old.rawValue, other.rawValue, new.rawValue, account.bucket]) == 1
    }

    /// Adds to the part of the amount that was given back, and returns whether
    /// that was possible: the part is never more than the amount. A payment
    /// of which nothing is left then is `refunding`.
    func addRefund(of milliunits: Int64, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE payment SET returned_milliunits = returned_milliunits + $3,
                status = CASE WHEN returned_milliunits + $3 = milliunits THEN $7 ELSE status END
            WHERE environment = $1 AND payment_number = $2 AND bucket = $4 AND status IN ($5, $6, $7, $8)
                AND returned_milliunits + $3 <= milliunits
            """,
            [
                db.environment.rawValue, number, milliunits, account.bucket, Status.committed.rawValue,
                Status.captured.rawValue, Status.refunding.rawValue, Status.refunded.rawValue,
            ]) == 1
    }

    /// Subtracts a refund that is taken back from the part of the amount that
    /// was given back, and returns whether that was possible.
    func removeRefund(of milliunits: Int64, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE payment SET returned_milliunits = returned_milliunits - $3,
                status = CASE WHEN status = $6 THEN $5 ELSE status END
            WHERE environment = $1 AND payment_number = $2 AND bucket = $4 AND returned_milliunits >= $3
            """,
            [
                db.environment.rawValue, number, milliunits, account.bucket, Status.captured.rawValue,
                Status.refunded.rawValue,
            ]) == 1
    }

    /// Saves a reversal: the part of the amount that isn't the store's any
    /// more, and the status; `false` when the payment has changed since.
    func saveReversal(returned: Int64, _ status: Status, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE payment SET returned_milliunits = $5, status = $6
            WHERE environment = $1 AND payment_number = $2 AND bucket = $7 AND returned_milliunits = $3
                AND status = $4
            """,
            [
                db.environment.rawValue, number, self.returned, self.status.rawValue, returned, status.rawValue,
                account.bucket,
            ]) == 1
    }

    /// Makes the payment wait for the provider, and gives its lease back;
    /// `false` when it isn't reserved or pending any more.
    func wait(for pending: PendingAuthorisation, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE payment SET status = $7, pending_until = $3, action_address = $4, leased_until = 0
            WHERE environment = $1 AND payment_number = $2 AND bucket = $5 AND status IN ($6, $7)
            """,
            [
                db.environment.rawValue, number, pending.expires.milliseconds, pending.address, account.bucket,
                Status.reserved.rawValue, Status.pending.rawValue,
            ]) == 1
    }

    /// The pending payment of a request; `nil` also for a request without an
    /// account.
    static func pending(of request: DeviceRequest, _ db: StoreTransaction) throws -> Payment? {
        guard let account = request.account else { return nil }
        return try db.row(
            """
            SELECT \(columns) FROM payment
            WHERE environment = $1 AND device_id = $2 AND request_id = $3 AND bucket = $4 AND status = 'pending'
            """, [db.environment.rawValue, request.device, request.identifier, account.bucket]
        ).map(Payment.init)
    }

    /// Pending payments that expire until `limit`, in order of their end,
    /// after `last`, at most twenty. One whose lease hasn't run out is left
    /// out.
    static func pending(
        until limit: WallTime, after last: Payment?, _ db: StoreTransaction
    ) throws -> [Payment] {
        try db.rows(
            """
            SELECT \(columns) FROM payment
            WHERE environment = $1 AND status = 'pending' AND pending_until <= $2
                AND leased_until <= wall_now($5)
                AND (pending_until > $3 OR pending_until = $3 AND payment_number > $4)
            ORDER BY pending_until, payment_number LIMIT 20
            """,
            [
                db.environment.rawValue, limit.milliseconds, last?.pending?.expires.milliseconds ?? .min,
                last?.number ?? "", db.now.milliseconds,
            ]
        ).map(Payment.init)
    }

    /// The payments for purchases of an account that its provider hasn't
    /// answered, or that aren't captured or released yet.
    static func underWay(for account: AccountIdentifier, _ db: StoreTransaction) throws -> [Payment] {
        try db.rows(
            """
            SELECT \(columns) FROM payment
            WHERE environment = $1 AND status IN ('reserved', 'committed', 'voiding') AND account_id = $2
                AND bucket = $3
            UNION ALL
            SELECT \(columns) FROM payment
            WHERE environment = $1 AND status = 'pending' AND account_id = $2 AND bucket = $3
            """, [db.environment.rawValue, account, account.bucket]
        ).map(Payment.init)
    }

    /// Whether a payment or a refund is under way of which the account is the
    /// owner or the payer. The statuses are those of the indexes
    /// `payment_open`, `payment_pending` and `refund_due`, so that the engine
    /// uses them.
    static func isUnderWay(of account: AccountIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM payment
            WHERE environment = $1 AND status IN ('reserved', 'committed', 'voiding')
                AND (account_id = $2 OR payer_id = $2)
            UNION ALL
            SELECT 1 AS one FROM payment
            WHERE environment = $1 AND status = 'pending' AND (account_id = $2 OR payer_id = $2)
            UNION ALL
            SELECT 1 AS one FROM refund JOIN payment
                ON payment.environment = refund.environment AND payment.payment_number = refund.payment_number
                AND payment.bucket = refund.bucket
            WHERE refund.environment = $1 AND refund.status IN ('due', 'reversing')
                AND (payment.account_id = $2 OR payment.payer_id = $2)
            LIMIT 1
            """, [db.environment.rawValue, account]) != nil
    }

    /// How many payments and refunds are under way, and when the oldest of
    /// them was begun. The statuses are those of the indexes `payment_open`
    /// and `refund_due`, so that the engine reads no other rows.
    static func backlog(_ db: StoreTransaction) throws -> Backlog {
        try Backlog(
            db.row(
                """
                SELECT count(*) AS n, min(created_at) AS oldest FROM (
                    SELECT created_at FROM payment
                    WHERE environment = $1 AND status IN ('reserved', 'committed', 'voiding')
                    UNION ALL
                    SELECT created_at FROM refund WHERE environment = $1 AND status IN ('due', 'reversing')
                ) AS work
                """, [db.environment.rawValue]))
    }

    /// Payments that a crash or an unreachable provider left incomplete, in
    /// order of their numbers, after `number`, at most twenty: one process
    /// takes them together. A payment whose lease hasn't run out is left out.
    /// Pending ones aren't among them, and refunds have rows of their own.
    ///
    /// Earlier versions take no leases. A payment without one is due when it
    /// was begun until `limit`, and when its time is in the future, because
    /// it was begun while a clock was wrong.
    static func underWay(
        begunUntil limit: WallTime, after number: PaymentIdentifier, _ db: StoreTransaction
    ) throws -> [Payment] {
        try db.rows(
            """
            SELECT \(columns) FROM payment
            WHERE environment = $1 AND status IN ('reserved', 'committed', 'voiding') AND payment_number > $2
                AND leased_until <= wall_now($4)
                AND (lease_owner IS NOT NULL OR created_at <= $3 OR created_at > $4)
            ORDER BY payment_number LIMIT 20
            """, [db.environment.rawValue, number, limit.milliseconds, db.now.milliseconds]
        ).map(Payment.init)
    }
}

extension Payment.Purpose {
    /// The schema allows no row with both purposes or with none.
    fileprivate init(_ row: Row) throws {
        let original: OriginalTransactionIdentifier? = try row.get("original_transaction_id")
        if let original {
            self = .renewal(of: original)
        } else {
            self = .request(try row.get("request_id"), of: try row.get("device_id"))
        }
    }

    fileprivate var request: RequestIdentifier? {
        guard case .request(let request, _) = self else { return nil }
        return request
    }

    fileprivate var device: DeviceIdentifier? {
        guard case .request(_, let device) = self else { return nil }
        return device
    }

    fileprivate var original: OriginalTransactionIdentifier? {
        guard case .renewal(let original) = self else { return nil }
        return original
    }
}
