// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Journal {
    /// Records that a payment's sheet is about to be shown.
    ///
    /// - Returns: whether it is the first time. A sheet that an earlier
    ///   process has shown may still be open in a browser.
    /// - Throws: `DatabaseError`.
    func present(_ sheet: String, of entry: String) async throws -> Bool {
        try await database.write { connection in
            try connection.run("DELETE FROM presented WHERE entry NOT IN (SELECT identifier FROM entry)")
            let known: String? = try connection.row("SELECT sheet FROM presented WHERE entry = $1", [entry])?
                .get("sheet")
            guard known != sheet else { return false }
            try connection.run(
                "INSERT INTO presented (entry, sheet) VALUES ($1, $2) ON CONFLICT (entry) DO UPDATE SET sheet = $2",
                [entry, sheet])
            return true
        }
    }
}
