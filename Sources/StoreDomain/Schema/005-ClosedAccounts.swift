// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// When an account was closed. What it bought refers to it for ever.
    static let closedAccounts = Migration(
        "005 closed accounts",
        [
            "ALTER TABLE account ADD COLUMN closed_at BIGINT",
            "CREATE INDEX device_of_account ON device (environment, account_id)",
            "CREATE INDEX sheet_session_of_account ON sheet_session (environment, account_id)",
        ])
}
