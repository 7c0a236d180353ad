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
    /// its subscriptions.
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
    }
}
