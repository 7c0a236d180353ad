// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The name and the language of a customer, the number of the password,
    /// the rule when the sheet asks for it, and the switch of a tester whose
    /// payments are declined.
    static let customers = Migration(
        "033 customers",
        [
            "ALTER TABLE account ADD COLUMN name TEXT",
            "ALTER TABLE account ADD COLUMN locale TEXT",
            "ALTER TABLE account ADD COLUMN password_number BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE account ADD COLUMN password_rule TEXT NOT NULL DEFAULT 'after-15-minutes'",
            "ALTER TABLE account ADD COLUMN declines_payments BIGINT NOT NULL DEFAULT 0",
        ])
}
