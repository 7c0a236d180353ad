// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension Payment {
    private static let columns =
        "payment_number, device_id, request_id, account_id, milliunits, currency, storefront, status"

    init(_ row: Row) throws {
        self.init(
            number: try row.get("payment_number"), device: try row.get("device_id"),
            requestIdentifier: try row.get("request_id"), account: try row.get("account_id"),
            amount: Money(milliunits: try row.get("milliunits"), currency: try row.get("currency")),
            storefront: try row.get("storefront"), status: Status(rawValue: try row.get("status")))
    }

    static func find(_ number: PaymentIdentifier, _ db: StoreTransaction) throws -> Payment? {
        try db.row(
            "SELECT \(columns) FROM payment WHERE environment = $1 AND payment_number = $2",
            [db.environment.rawValue, number]
        ).map(Payment.init)
    }

    /// Saves a new payment, on which this process has a lease.
    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO payment (environment, \(Self.columns), created_at, lease_owner, leased_until)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, wall_now($10) + $12)
            """,
            [
                db.environment.rawValue, number, device, requestIdentifier, account, amount.milliunits,
                amount.currency, storefront, status.rawValue, db.now.milliseconds, db.leaseOwner,
                Lease.duration.milliseconds,
            ])
    }

    /// The payment that a purchase was charged by; `nil` when it cost nothing.
    static func of(_ purchase: Purchase, _ db: StoreTransaction) throws -> Payment? {
        try db.row(
            """
            SELECT payment.payment_number, payment.device_id, payment.request_id, payment.account_id,
                payment.milliunits, payment.currency, payment.storefront, payment.status
            FROM ledger_entry JOIN payment
                ON payment.environment = ledger_entry.environment
                AND payment.payment_number = ledger_entry.payment_number
            WHERE ledger_entry.environment = $1 AND ledger_entry.transaction_id = $2
                AND ledger_entry.kind = 'charge'
            """, [db.environment.rawValue, purchase.transactionIdentifier]
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
            "UPDATE payment SET status = $5 WHERE environment = $1 AND payment_number = $2 AND status IN ($3, $4)",
            [db.environment.rawValue, number, old.rawValue, other.rawValue, new.rawValue]) == 1
    }

    /// Whether a payment or a refund of the account is under way. The
    /// statuses are those of the index `payment_open`, so that the engine
    /// uses it.
    static func isUnderWay(of account: AccountIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM payment
            WHERE environment = $1 AND account_id = $2 AND status IN ('reserved', 'committed', 'refunding')
            LIMIT 1
            """, [db.environment.rawValue, account]) != nil
    }

    /// How many payments and refunds are under way, and when the oldest of
    /// them was begun. The statuses are those of the index `payment_open`, so
    /// that the engine reads no other payment.
    static func backlog(_ db: StoreTransaction) throws -> Backlog {
        let row = try db.row(
            """
            SELECT count(*) AS n, min(created_at) AS oldest FROM payment
            WHERE environment = $1 AND status IN ('reserved', 'committed', 'refunding')
            """, [db.environment.rawValue])
        guard let row else { return Backlog(count: 0) }
        let oldest: Int64? = try row.get("oldest")
        return Backlog(count: try row.get("n"), oldest: oldest.map(WallTime.init(milliseconds:)))
    }

    /// Payments that a crash or an unreachable provider left incomplete, in
    /// order of their numbers, after `number`, at most twenty: one process
    /// takes them together. A payment whose lease hasn't run out is left out.
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
            WHERE environment = $1 AND status IN ('reserved', 'committed', 'refunding') AND payment_number > $2
                AND leased_until <= wall_now($4)
                AND (lease_owner IS NOT NULL OR created_at <= $3 OR created_at > $4)
            ORDER BY payment_number LIMIT 20
            """, [db.environment.rawValue, number, limit.milliseconds, db.now.milliseconds]
        ).map(Payment.init)
    }
}
