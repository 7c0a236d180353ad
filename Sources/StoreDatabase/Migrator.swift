// SPDX-License-Identifier: Apache-2.0

/// Brings a database's tables up to date.
///
/// All missing migrations are applied in one transaction: a failure leaves the
/// database unchanged. The table `schema_migration` holds the names of the
/// applied migrations.
public struct Migrator: Sendable {
    private let migrations: [Migration]

    /// Makes a migrator that applies the migrations in the given order.
    ///
    /// - Precondition: No two migrations have the same name.
    public init(_ migrations: [Migration]) {
        let names = migrations.map(\.name)
        precondition(Set(names).count == names.count, "two migrations have the same name: \(names)")
        self.migrations = migrations
    }

    /// Applies the migrations that the database doesn't have yet.
    ///
    /// - Throws: ``DatabaseError`` with code `newerSchema` when the database
    ///   has a migration that isn't in this list, or the engine's error.
    public func migrate(_ database: any Database) async throws {
        try await database.write { connection in try migrate(connection) }
    }

    /// The synchronous form of the other `migrate(_:)`.
    ///
    /// - Throws: The same errors.
    public func migrate(_ database: any Database) throws {
        try database.write { connection in try migrate(connection) }
    }

    /// The names of the migrations that a database has, in the order in which
    /// they were applied.
    ///
    /// - Throws: ``DatabaseError``, also for a database that no migrator has
    ///   changed.
    public static func applied(_ connection: any Connection) throws -> [String] {
        try connection.rows("SELECT name FROM schema_migration ORDER BY applied").map { try $0.get("name") }
    }

    private func migrate(_ connection: any Connection) throws {
        try connection.run(
            "CREATE TABLE IF NOT EXISTS schema_migration (name TEXT PRIMARY KEY, applied BIGINT NOT NULL)")
        let applied = try Self.applied(connection)
        let unknown = applied.filter { name in !migrations.contains { $0.name == name } }
        guard unknown.isEmpty else {
            throw DatabaseError(
                .newerSchema,
                """
                The database was written by a newer version of this program (it knows the schema's steps \
                \(unknown.joined(separator: ", "))). Install that version, or restore a backup.
                """)
        }
        let missing = migrations.filter { !applied.contains($0.name) }
        for (number, migration) in zip((applied.count + 1)..., missing) {
            for statement in migration.statements {
                try connection.run(statement)
            }
            try connection.run(
                "INSERT INTO schema_migration (name, applied) VALUES ($1, $2)", [migration.name, number])
        }
    }
}
