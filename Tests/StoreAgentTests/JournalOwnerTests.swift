// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import Testing

@testable import StoreAgent

/// A journal that was copied to another device.
struct JournalOwnerTests {
    @Test("Every table of the schema is emptied on another device")
    func tables() throws {
        let database = try SQLiteDatabase(.memory)
        _ = try Journal(database, device: "phone")

        let tables = try database.read { connection in
            try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
                .map { row -> String in try row.get("name") }
        }

        // The Migrator's own table stays, because the migrations were applied.
        #expect(Set(tables).subtracting(["schema_migration"]) == Set(JournalSchema.tables))
    }

    @Test("Another device doesn't send the entries of the first one")
    func entries() async throws {
        let database = try SQLiteDatabase(.memory)
        let journal = try Journal(database, device: "phone")
        try await journal.apply(.transaction(.apple(), .at(5)), question: 0, now: 1_700_000_000_000)
        let identifier = TransactionInfo.apple().transactionIdentifier
        #expect(try await journal.entry(identifier) != nil)

        let copy = try Journal(database, device: "tablet")

        #expect(try await copy.entry(identifier) == nil)
        #expect(try await copy.state().position == nil)
    }
}
