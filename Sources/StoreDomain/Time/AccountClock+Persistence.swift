// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AccountClock {
    /// Makes the clock of an account's row.
    init(_ row: Row) throws {
        self.init(
            offset: try row.get("clock_offset"),
            speed: RenewalSpeed(rawValue: try row.get("renewal_speed")) ?? .realTime)
    }

    /// The clock of an account, also of a closed one.
    static func of(_ account: AccountIdentifier, _ db: StoreTransaction) throws -> AccountClock {
        try db.row(
            """
            SELECT clock_offset, renewal_speed FROM account
            WHERE environment = $1 AND account_id = $2 AND bucket = $3
            """, [db.environment.rawValue, account, account.bucket]
        ).map(AccountClock.init) ?? AccountClock()
    }

    /// Saves the clock of an account, and the wall time of the next steps of
    /// its subscriptions and of the ends of its requests.
    func save(for account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE account SET clock_offset = $3, renewal_speed = $4
            WHERE environment = $1 AND account_id = $2 AND bucket = $5
            """, [db.environment.rawValue, account, offset, speed.rawValue, account.bucket])
        try db.run(
            """
            UPDATE subscription SET due_at = due_store_at - $3
            WHERE environment = $1 AND account_id = $2 AND bucket = $4 AND due_at IS NOT NULL
            """, [db.environment.rawValue, account, offset, account.bucket])
        try DeviceRequest.moveEnds(of: account, by: offset, db)
    }

    /// The latest moment in an account's books: of its events and of those of
    /// its subscriptions, of the ledger entries of its payments, and of
    /// restores on the devices on which it is signed in. Moves of its clock
    /// don't count. `nil` when there is none.
    static func lastMoment(of account: AccountIdentifier, _ db: StoreTransaction) throws -> StoreTime? {
        let moments = [try lastEvent(of: account, db), try lastRestore(of: account, db)]
        return moments.compactMap { $0 }.max().map(StoreTime.init(milliseconds:))
    }

    // The inner queries keep SQLite, which has no statistics, from reading the
    // rows of all accounts first.

    private static func lastEvent(of account: AccountIdentifier, _ db: StoreTransaction) throws -> Int64? {
        try db.row(
            """
            SELECT max(at) AS last FROM (
                SELECT max(at) AS at FROM event
                WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND kind <> 'clock'
                UNION ALL
                SELECT max((
                    SELECT max(subscription_event.at) FROM subscription_event
                    WHERE subscription_event.environment = subscription.environment
                        AND subscription_event.original_transaction_id = subscription.original_transaction_id
                        AND subscription_event.bucket = subscription.bucket
                )) AS at FROM subscription
                WHERE subscription.environment = $1 AND subscription.account_id = $2 AND subscription.bucket = $3
                UNION ALL
                SELECT max(entry.at) AS at FROM purchase
                JOIN ledger_entry AS charge ON charge.environment = purchase.environment
                    AND charge.transaction_id = purchase.transaction_id AND charge.bucket = purchase.bucket
                    AND charge.kind = 'charge'
                JOIN ledger_entry AS entry ON entry.environment = charge.environment
                    AND entry.payment_number = charge.payment_number AND entry.bucket = charge.bucket
                WHERE purchase.environment = $1 AND purchase.account_id = $2 AND purchase.bucket = $3
            ) AS moments
            """, [db.environment.rawValue, account, account.bucket])?.get("last")
    }

    private static func lastRestore(of account: AccountIdentifier, _ db: StoreTransaction) throws -> Int64? {
        try db.row(
            """
            SELECT max((
                SELECT max((
                    SELECT restored_at FROM restored_transaction
                    WHERE restored_transaction.environment = request.environment
                        AND restored_transaction.device_id = request.device_id
                        AND restored_transaction.request_id = request.request_id
                        AND restored_transaction.place = 0
                )) FROM request
                WHERE request.environment = device.environment AND request.device_id = device.device_id
                    AND request.account_id = device.account_id AND request.kind = 'sign-in'
            )) AS last FROM device
            WHERE device.environment = $1 AND device.account_id = $2
            """, [db.environment.rawValue, account])?.get("last")
    }
}
