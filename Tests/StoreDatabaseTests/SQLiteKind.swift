// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Testing

/// SQLite's two engines, for tests of members that only ``SQLiteDatabase``
/// has.
enum SQLiteKind: CaseIterable {
    case memory, file

    func withFruit(_ body: (SQLiteDatabase) async throws -> Void) async throws {
        let engine: Engine = self == .memory ? .sqliteMemory : .sqliteFile
        try await engine.withFruit { database in
            try await body(try #require(database as? SQLiteDatabase))
        }
    }
}
