// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreDomain

#if POSTGRESQL
import StorePostgreSQL
#endif

/// The store's tables, made by the migrations once in a process and then
/// copied: the migrations take most of the time of a short test.
enum StoreTemplate {
    private static let sqlite = Task { () async throws -> [String] in
        let database = try SQLiteDatabase(.memory)
        try await Schema.migrate(database)
        let made = try await database.read { try statements(of: $0) }
        try database.close()
        return made
    }

    /// Makes the store's tables in an empty SQLite database.
    static func copy(to database: any Database) async throws {
        let statements = try await sqlite.value
        try await database.write { connection in
            for statement in statements { try connection.run(statement) }
        }
    }

    /// The statements that make a database's tables and indexes, and its rows.
    private static func statements(of connection: any Connection) throws -> [String] {
        let schema = try connection.rows(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
        ).map { row -> String in try row.get("sql") }
        let tables = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).map { row -> String in try row.get("name") }
        return try schema + tables.flatMap { try rows(of: $0, connection) }
    }

    private static func rows(of table: String, _ connection: any Connection) throws -> [String] {
        let columns = try connection.rows("SELECT name FROM pragma_table_info('\(table)')")
            .map { row -> String in "quote(\"\(try row.get("name") as String)\")" }
        return try connection.rows("SELECT \(columns.joined(separator: " || ', ' || ")) AS quoted FROM \(table)")
            .map { row -> String in "INSERT INTO \(table) VALUES (\(try row.get("quoted") as String))" }
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
