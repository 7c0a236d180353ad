// SPDX-License-Identifier: Apache-2.0

/// A table that a migration makes again, with other keys.
///
/// All tables are copied before one is dropped, because some are filled from
/// several of them. A table is dropped before those that its foreign keys name.
/// The new tables have the old names from the beginning, so that PostgreSQL
/// gives their keys the same names as before.
///
/// All old tables are locked before one is copied: a process of an older
/// version may still write them, and its rows of after the copy would be lost
/// with the old table. It waits, and then fails at the new schema.
struct RebuiltTable: Sendable {
    var name: String
    /// The columns, each with its name first.
    var columns: [String]
    /// The primary key and the other constraints.
    var constraints: [String]
    /// The statement that reads the rows with all columns; `nil` reads the old
    /// table as it is.
    var source: String?
    /// Whether the table has existed before.
    var isOld = true
    /// The definitions of its indexes, after `CREATE`.
    var indexes: [String] = []

    static func statements(_ tables: [RebuiltTable]) -> [String] {
        tables.filter(\.isOld).map { lock($0.name) }
            + tables.map { "CREATE TABLE moved_\($0.name) AS \($0.source ?? "SELECT * FROM \($0.name)")" }
            + tables.reversed().filter(\.isOld).map { "DROP TABLE \($0.name)" }
            + tables.flatMap(\.creation)
            + tables.flatMap { table in table.indexes.map { "CREATE \($0)" } }
    }

    /// The statement that locks a table against every other use until the
    /// migration ends. SQLite has no statement for it, because its writer is
    /// alone, but PostgreSQL takes the lock for a new column. The column ends
    /// with the table.
    static func lock(_ name: String) -> String { "ALTER TABLE \(name) ADD COLUMN is_locked BIGINT" }

    private var creation: [String] {
        let names = columns.map { $0.prefix { $0 != " " } }.joined(separator: ", ")
        return [
            "CREATE TABLE \(name) (\n    \((columns + constraints).joined(separator: ",\n    "))\n)",
            "INSERT INTO \(name) (\(names)) SELECT \(names) FROM moved_\(name)",
            "DROP TABLE moved_\(name)",
        ]
    }
}
