// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Account {
    /// Whether the notifications about an account are sent again
    /// (``AccountSwitch/retriesNotifications``); `false` without an account.
    static func retriesNotifications(_ account: AccountIdentifier?, _ db: StoreTransaction) throws -> Bool {
        guard let account else { return false }
        let row = try db.row(
            """
            SELECT \(AccountSwitch.retriesNotifications.column) AS is_on FROM account
            WHERE environment = $1 AND account_id = $2 AND bucket = $3
            """, [db.environment.rawValue, account, account.bucket])
        return try row?.get("is_on") ?? false
    }
}
