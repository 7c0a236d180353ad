// SPDX-License-Identifier: Apache-2.0

import Foundation
package import StoreDatabase
import StoreDomain

#if POSTGRESQL
import StorePostgreSQL
#endif

/// The database engines. Every contract test runs on each of them.
package enum Engine: CaseIterable, Sendable {
    case sqliteMemory, sqliteFile
    #if POSTGRESQL
    case postgresql
    #endif

    /// All engines that this machine has; PostgreSQL needs a cluster.
    package static let allCases: [Engine] = {
        if chosen == "memory" { return [.sqliteMemory] }
        var engines: [Engine] = [.sqliteMemory, .sqliteFile]
        #if POSTGRESQL
        if TestCluster.url != nil { engines.append(.postgresql) }
        #endif
        return engines
    }()

    /// One engine for each SQL dialect: above the database, a store in memory
    /// and one in a file behave alike. The long tests check that as well.
    package static let stores = chosen == "all" ? allCases : allCases.filter { $0 != .sqliteFile }

    /// The engine of tests above the domain, of routes and scenarios: the
    /// domain's own tests run its statements on both dialects, and the long
    /// tests these, too.
    package static let servers = chosen == "all" ? allCases : [.sqliteMemory]

    /// `all` in the long tests, and `memory` in those of a minute.
    private static let chosen = ProcessInfo.processInfo.environment["OPENSTOREKIT_ENGINES"]

    /// Whether the engine is PostgreSQL.
    package var isPostgreSQL: Bool {
        #if POSTGRESQL
        self == .postgresql
        #else
        false
        #endif
    }

    /// The number of writes that run at the same time.
    package var writers: Int { isPostgreSQL ? Self.connections : 1 }

    /// The number of reads that run at the same time.
    package var readers: Int {
        switch self {
        case .sqliteMemory: 1
        case .sqliteFile: 5
        #if POSTGRESQL
        case .postgresql: Self.connections
        #endif
        }
    }

    /// Opens an empty database; the folder is for engines that need a file.
    package func open(in folder: TemporaryFolder, limits: WaitingLimits = WaitingLimits()) throws -> any Database {
        switch self {
        case .sqliteMemory: return try SQLiteDatabase(.memory, limits: limits)
        case .sqliteFile:
            return try SQLiteDatabase(
                .file(folder.path("contract.sqlite")), busyTimeout: .beyondTests, limits: limits)
        #if POSTGRESQL
        case .postgresql: return try Self.openPostgreSQL(TestCluster.makeDatabase(), limits)
        #endif
        }
    }

    /// Runs a test with a database that is empty or has the store's tables,
    /// and removes the database afterwards.
    package func withDatabase(
        hasTables: Bool = false, limits: WaitingLimits = WaitingLimits(), _ body: (any Database) async throws -> Void
    ) async throws {
        #if POSTGRESQL
        if self == .postgresql {
            await Self.clusterPlaces.begin()
            defer { Self.clusterPlaces.end() }
            let url = try await Self.makePostgreSQL(hasTables: hasTables)
            defer { try? TestCluster.removeDatabase(url) }
            let database = try Self.openPostgreSQL(url, limits)
            try await body(database)
            try database.close()
            return
        }
        #endif
        let folder = try TemporaryFolder()
        let database = try open(in: folder, limits: limits)
        if hasTables, let database = database as? SQLiteDatabase { try Schema.copyTables(to: database) }
        try await body(database)
        try database.close()
    }

    /// Runs a test with two databases, as two nodes of one store have them:
    /// on PostgreSQL two pools on one URL, on SQLite the same database twice.
    package func withTwoDatabases(
        hasTables: Bool = false, _ body: (any Database, any Database) async throws -> Void
    ) async throws {
        #if POSTGRESQL
        if self == .postgresql {
            await Self.clusterPlaces.begin()
            defer { Self.clusterPlaces.end() }
            let url = try await Self.makePostgreSQL(hasTables: hasTables)
            defer { try? TestCluster.removeDatabase(url) }
            let first = try Self.openPostgreSQL(url)
            let second = try Self.openPostgreSQL(url)
            try await body(first, second)
            try first.close()
            try second.close()
            return
        }
        #endif
        try await withDatabase(hasTables: hasTables) { try await body($0, $0) }
    }

    /// Few connections each, because many tests run at the same time.
    private static let connections = 6

    #if POSTGRESQL
    /// The tests that have a database of the cluster at a time: with two pools
    /// each, they need fewer connections than the cluster has. All tests of a
    /// process run at the same time, also on a machine on which they end late.
    private static let clusterPlaces = Places(64)

    private static func makePostgreSQL(hasTables: Bool) async throws -> String {
        hasTables ? try await StoreTemplate.makeDatabase() : try TestCluster.makeDatabase()
    }

    static func openPostgreSQL(
        _ url: String, _ limits: WaitingLimits = WaitingLimits()
    ) throws -> PostgreSQLDatabase {
        var options = PostgreSQLDatabase.Options.patient
        options.connections = connections
        options.limits = limits
        return try PostgreSQLDatabase(url: url, options: options, random: SystemRandomNumberGenerator())
    }
    #endif
}
