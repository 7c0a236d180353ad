// SPDX-License-Identifier: Apache-2.0

#if POSTGRESQL
import StoreDomain
import StorePostgreSQL

/// A PostgreSQL database with the store's tables, made by the migrations once
/// in a process and then copied: the migrations take most of the time of a
/// short test.
enum StoreTemplate {
    private static let url = Task { () async throws -> String in
        let url = try TestCluster.makeDatabase()
        let database = try Engine.openPostgreSQL(url)
        try await Schema.migrate(database)
        try database.close()
        return url
    }

    /// Makes a database with the tables and returns its URL.
    static func makeDatabase() async throws -> String {
        try TestCluster.makeDatabase(copying: try await url.value)
    }
}
#endif
