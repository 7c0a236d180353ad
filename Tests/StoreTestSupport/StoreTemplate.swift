// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreDomain

#if POSTGRESQL
import StorePostgreSQL
#endif

/// The store's tables, made by the migrations once in a process and then
/// copied: the migrations take most of the time of a short test.
enum StoreTemplate {
    private static let sqlite = Task {
        let database = try SQLiteDatabase(.memory)
        try await Schema.migrate(database)
        return database
    }

    /// Makes the store's tables in an empty SQLite database.
    static func copy(to database: SQLiteDatabase) async throws {
        try await sqlite.value.copy(to: database)
    }

    #if POSTGRESQL
    private static let postgreSQL = Task { () async throws -> String in
        let url = try TestCluster.makeDatabase()
        let database = try Engine.openPostgreSQL(url)
        try await Schema.migrate(database)
        try database.close()
        return url
    }

    /// Makes a PostgreSQL database with the store's tables and returns its URL.
    static func makeDatabase() async throws -> String {
        try TestCluster.makeDatabase(copying: try await postgreSQL.value)
    }
    #endif
}
