// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Rules of a tester's renewals, for the history of a notification.
    static let testerRules = Migration(
        "056 tester rules",
        [
            // NULL for the days of grace of the app.
            "ALTER TABLE account ADD COLUMN tester_grace_days BIGINT",
            // Whether renewals end as if the product weren't sold any more.
            "ALTER TABLE account ADD COLUMN tester_unsold BIGINT NOT NULL DEFAULT 0",
            // The wall time until which both apply.
            "ALTER TABLE account ADD COLUMN tester_until BIGINT NOT NULL DEFAULT 0",
        ])
}
