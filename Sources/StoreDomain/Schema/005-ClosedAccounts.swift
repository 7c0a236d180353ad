// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The time at which an account was closed. The row of a closed account
    /// stays, because its purchases refer to it.
    static let closedAccounts = Migration(
        "005 closed accounts",
        [
            "ALTER TABLE account ADD COLUMN closed_at BIGINT",
            "CREATE INDEX device_of_account ON device (environment, account_id)",
            "CREATE INDEX sheet_session_of_account ON sheet_session (environment, account_id)",
        ])
}
