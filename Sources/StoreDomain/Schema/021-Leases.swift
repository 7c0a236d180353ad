// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The leases of payments and refunds: the process that works on a row, and
    /// the end of its lease by the engine's `wall_now`. Those of sheets aren't
    /// used any more.
    ///
    /// `lease_owner` is NULL in a row that no process of this version has
    /// taken.
    static let leases = Migration(
        "021 leases",
        ["payment", "refund", "sheet"].flatMap { table in
            [
                "ALTER TABLE \(table) ADD COLUMN lease_owner TEXT",
                "ALTER TABLE \(table) ADD COLUMN leased_until BIGINT NOT NULL DEFAULT 0",
            ]
        })
}
