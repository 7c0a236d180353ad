// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

extension Schema {
    /// A store's tables without a row, made once in a process.
    private static let withoutRows = Result {
        let database = try SQLiteDatabase(.memory)
        try migrate(database)
        return database
    }

    /// Makes the tables in an empty database of SQLite, as a copy: tests make
    /// a store for each session, and the migrations take most of the time of a
    /// short one.
    ///
    /// - Throws: `DatabaseError`.
    package static func copyTables(to database: SQLiteDatabase) throws {
        try withoutRows.get().copy(to: database)
    }
}
