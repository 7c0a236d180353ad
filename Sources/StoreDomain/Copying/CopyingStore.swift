// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

/// Copies a stopped store from one database to another, of the same or
/// another engine.
///
/// A copy that didn't complete leaves a mark in its target: ``check(_:)``
/// rejects that database, and copying again starts over. The source isn't
/// changed, except that its schema is brought up to date.
package struct CopyingStore: Sendable {
    /// The database of the stopped store.
    package var source: any Database
    /// The database that receives the copy. It is empty, or has an incomplete
    /// copy.
    package var target: any Database

    package init(from source: any Database, to target: any Database) {
        self.source = source
        self.target = target
    }

    /// The number of rows of a copied table.
    package struct Copied: Sendable {
        package var table: String
        package var rows: Int64
    }

    /// Copies all tables, and compares the counts and sums of each with the
    /// original.
    ///
    /// - Throws: ``DomainError``: `exists` when the target holds a store
    ///   already, `invalid` when a table's copy differs from the original.
    package func callAsFunction(now: WallTime, progress: @Sendable (Copied) -> Void = { _ in }) async throws -> [Copied]
    {
        try await Schema.migrate(source)
        try await Schema.migrate(target)
        try await begin(now: now)
        var copied: [Copied] = []
        for table in Schema.tables {
            try await copy(table)
            copied.append(try await compare(table))
            progress(copied[copied.count - 1])
        }
        try await target.write { try $0.run("DELETE FROM copy_under_way") }
        return copied
    }

    /// Checks that no copy into a database is incomplete.
    ///
    /// - Throws: ``DomainError`` `invalid` when a copy into the database
    ///   didn't complete.
    package static func check(_ database: any Database) async throws {
        let isUnderWay = try await database.read { try !$0.rows("SELECT begun_at FROM copy_under_way").isEmpty }
        if isUnderWay {
            throw DomainError(
                .invalid, "A copy into this database was broken off: run storectl copy again before serving it.")
        }
    }

    /// Deletes the rows of an incomplete copy, and marks the target.
    private func begin(now: WallTime) async throws {
        try await target.write { connection in
            let isUnderWay = try !connection.rows("SELECT begun_at FROM copy_under_way").isEmpty
            for table in Schema.tables.reversed() {
                if isUnderWay {
                    try connection.run("DELETE FROM \(table.name)")
                } else if try connection.row("SELECT 1 AS one FROM \(table.name) LIMIT 1") != nil {
                    throw DomainError(
                        .exists,
                        "The target holds a store already (its table \(table.name) isn't empty): use an empty one.")
                }
            }
            if !isUnderWay {
                try connection.run("INSERT INTO copy_under_way (begun_at) VALUES ($1)", [now.milliseconds])
            }
        }
    }

    /// Copies a table in batches, in the order of its key, so that memory is
    /// bounded.
    private func copy(_ table: StoreTable) async throws {
        let order = table.key.joined(separator: ", ")
        var last: [DatabaseValue] = []
        while true {
            let places = last.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
            let condition = last.isEmpty ? "" : "WHERE (\(order)) > (\(places))"
            let sql = "SELECT * FROM \(table.name) \(condition) ORDER BY \(order) LIMIT \(table.batch)"
            let rows = try await source.read { [last] in try $0.rows(sql, last) }
            guard let final = rows.last else { return }
            try await target.write { connection in
                for row in rows {
                    let values: [DatabaseValue] = try row.columns.map { try row.get($0) }
                    let places = values.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
                    let columns = row.columns.joined(separator: ", ")
                    try connection.run("INSERT INTO \(table.name) (\(columns)) VALUES (\(places))", values)
                }
            }
            last = try table.key.map { try final.get($0) }
        }
    }

    private func compare(_ table: StoreTable) async throws -> Copied {
        // Remainders, because the sum of a few million instants overflows.
        let sums = table.sums.map { ", CAST(COALESCE(SUM(\($0) % 1000003), 0) AS BIGINT) AS \($0)" }.joined()
        let sql = "SELECT COUNT(*) AS row_count\(sums) FROM \(table.name)"
        let columns = ["row_count"] + table.sums
        func measure(_ database: any Database) async throws -> [Int64] {
            try await database.read { connection in
                guard let row = try connection.row(sql) else { return [] }
                return try columns.map { try row.get($0) }
            }
        }
        let (before, after) = (try await measure(source), try await measure(target))
        guard before == after, let rows = after.first else {
            throw DomainError(
                .invalid, "The copy of \(table.name) isn't the same as the original: \(after) instead of \(before).")
        }
        return Copied(table: table.name, rows: rows)
    }
}
