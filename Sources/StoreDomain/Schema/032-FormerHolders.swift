// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The devices that had an unfinished consumable or non-renewing
    /// subscription before the device whose queue has it.
    static let formerHolders = Migration(
        "032 former holders",
        [
            // A JSON array of device identifiers. NULL for a transaction that
            // no other device had, or that was handed over by a node of an
            // earlier version.
            "ALTER TABLE queue_entry ADD COLUMN former_holders TEXT"
        ])
}
