// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The time at which an account first used an app on a device.
    static let firstUses = Migration(
        "029 first uses",
        [
            // NULL for a use that a node of an earlier version records during
            // the upgrade.
            "ALTER TABLE device_app ADD COLUMN first_seen_at BIGINT",
            // An earlier version has kept only the time of the last use.
            "UPDATE device_app SET first_seen_at = last_seen_at",
        ])
}
