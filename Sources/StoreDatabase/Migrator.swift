// SPDX-License-Identifier: Apache-2.0

/// Brings a database's tables up to date.
///
/// All missing steps are taken in one write: a database is never left half
/// way. The names of the steps taken are in the table `schema_migration`.
public struct Migrator: Sendable {
    private let migrations: [Migration]

    /// Makes a migrator; the order of the migrations is the order of the steps.
    ///
    /// - Precondition: No two migrations have the same name.
    public init(_ migrations: [Migration]) {
        let names = migrations.map(\.name)
        precondition(Set(names).count == names.count, "two migrations have the same name: \(names)")
        self.migrations = migrations
    }

    /// Takes the steps that the database hasn't taken yet.
    ///
    /// - Throws: ``DatabaseError`` with code `newerSchema` when the database
    ///   has taken a step that isn't known here, or what the engine throws.
    public func migrate(_ database: any Database) async throws {
        try await database.write { connection in try migrate(connection) }
    }

    /// The synchronous twin of the other `migrate(_:)`.
    ///
    /// - Throws: The same.
    public func migrate(_ database: any Database) throws {
        try database.write { connection in try migrate(connection) }
    }

    private func migrate(_ connection: any Connection) throws {
        try connection.run(
            "CREATE TABLE IF NOT EXISTS schema_migration (name TEXT PRIMARY KEY, applied BIGINT NOT NULL)")
        let applied: [String] = try connection.rows("SELECT name FROM schema_migration ORDER BY applied")
            .map { try $0.get("name") }
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
