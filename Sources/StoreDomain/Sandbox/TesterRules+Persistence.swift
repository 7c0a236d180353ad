// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension TesterRules {
    /// Saves the rules of an account, in place of earlier ones.
    func save(of account: AccountIdentifier, _ db: StoreTransaction) throws {
        let until = self == TesterRules() ? 0 : (db.now + Self.lifetime).milliseconds
        try db.run(
            """
            UPDATE account SET tester_grace_days = $4, tester_unsold = $5, tester_until = $6
            WHERE environment = $1 AND account_id = $2 AND bucket = $3
            """, [db.environment.rawValue, account, account.bucket, graceDays, endsUnsold, until])
    }
}

extension Subscription {
    /// The days of grace of a subscription: those of its app, or of the rules
    /// of its tester; 0 for none.
    func graceDays(_ db: StoreTransaction) throws -> Int {
        let row = try db.row(
            """
            SELECT COALESCE((
                SELECT tester_grace_days FROM account
                WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND tester_until > $4
            ), (
                SELECT grace_period_days FROM app WHERE bundle_id = $5
            ), 0) AS days
            """, [db.environment.rawValue, account, account.bucket, db.now.milliseconds, bundleIdentifier])
        return try row?.get("days") ?? 0
    }
}
