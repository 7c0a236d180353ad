// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the whole ledger, for the checks of tests.
package struct ReadingLedger: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Every entry, oldest first.
    package func callAsFunction() async throws -> [LedgerEntry] {
        try await read { db in
            try db.rows(
                "SELECT \(LedgerEntry.columns) FROM ledger_entry WHERE environment = $1 ORDER BY at, entry_id",
                [db.environment.rawValue]
            ).map(LedgerEntry.init)
        }
    }
}
