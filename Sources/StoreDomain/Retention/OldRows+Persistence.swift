// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The rows of a table that have a time to live, and their statements.
///
/// The conditions name the columns of the table `old`, and `$1` is the
/// environment.
struct OldRows: Sendable {
    /// The values of the key's columns.
    typealias Key = [DatabaseValue]

    /// The name of the time to live in ``Retention``.
    var kind: String
    var days: Int
    var table: String
    /// The primary key, without the environment.
    var key: [String]
    /// The column with the time from which the age counts.
    var age: String
    /// The condition of the partial index over age and key.
    var condition: String?
    /// A further condition of the rows that may be deleted.
    var due: String?
    var hasEnvironment = true
    /// Whether older versions have written rows without an age.
    var hasRowsWithoutAge = false
    /// Deletes rows that are older than a moment, and returns their number;
    /// `nil` deletes nothing but the rows themselves.
    var deletion: (@Sendable ([Key], WallTime, StoreContext) async throws -> Int)?

    /// A place in the order of age.
    struct Position: Sendable {
        var age: Int64
        var key: Key
    }

    /// Some old rows, in the order of their age.
    struct Page: Sendable {
        /// The rows that may be deleted.
        var due: [Key]
        /// The place of the last row; `nil` when no old rows follow.
        var last: Position?
    }

    /// At most ``DeletingOldRows/batch`` rows older than `limit`, after a
    /// place.
    ///
    /// The further condition is evaluated for the rows of the page only, so
    /// that rows that have to stay cost no more than a page at a time.
    func page(before limit: WallTime, after last: Position?, _ db: StoreTransaction) throws -> Page {
        var conditions = fixed + ["\(age) < $2"]
        var arguments: [any DatabaseValueConvertible] = [
            db.environment.rawValue, limit.milliseconds, DeletingOldRows.batch,
        ]
        if let last {
            let places = (0...key.count).map { "$\($0 + 4)" }.joined(separator: ", ")
            conditions.append("(\(([age] + key).joined(separator: ", "))) > (\(places))")
            arguments.append(last.age)
            arguments += last.key
        }
        let rows = try db.rows(
            """
            SELECT \(key.map { "old.\($0)" }.joined(separator: ", ")), old.\(age) AS age,
                CAST(CASE WHEN \(due ?? "1 = 1") THEN 1 ELSE 0 END AS BIGINT) AS is_due
            FROM (
                SELECT * FROM \(table) WHERE \(conditions.joined(separator: " AND "))
                ORDER BY \(([age] + key).joined(separator: ", ")) LIMIT $3
            ) AS old
            ORDER BY \(([age] + key).map { "old.\($0)" }.joined(separator: ", "))
            """, arguments)
        var page = Page(due: [])
        for row in rows {
            let isDue: Bool = try row.get("is_due")
            if isDue { page.due.append(try values(of: row)) }
        }
        if rows.count == DeletingOldRows.batch, let row = rows.last {
            page.last = Position(age: try row.get("age"), key: try values(of: row))
        }
        return page
    }

    /// The scope of a write that changes rows of one kind. Two processes change
    /// those of a kind one after another.
    var scope: WriteScope { .key("old rows of \(table)") }

    /// Deletes rows that are still older than a moment, and returns their
    /// number.
    func delete(_ keys: [Key], _ limit: WallTime, _ context: StoreContext) async throws -> Int {
        if let deletion { return try await deletion(keys, limit, context) }
        return try await context.write(scope) { db in
            try keys.reduce(0) { try $0 + delete($1, limit, db) }
        }
    }

    /// Deletes a row that is still older than a moment, and returns 1 if it
    /// existed.
    func delete(_ key: Key, _ limit: WallTime, _ db: StoreTransaction) throws -> Int {
        let conditions =
            fixed + ["\(age) < $2"] + self.key.indices.map { "\(self.key[$0]) = $\($0 + 3)" }
            + (due.map { ["(\($0))"] } ?? [])
        return try db.run(
            "DELETE FROM \(table) AS old WHERE \(conditions.joined(separator: " AND "))",
            [db.environment.rawValue, limit.milliseconds] + key)
    }

    /// At most ``DeletingOldRows/batch`` rows without an age.
    func withoutAge(_ db: StoreTransaction) throws -> [Key] {
        let environment: [any DatabaseValueConvertible] = hasEnvironment ? [db.environment.rawValue] : []
        return try db.rows(
            """
            SELECT \(key.joined(separator: ", ")) FROM \(table)
            WHERE \((fixed + ["\(age) IS NULL"]).joined(separator: " AND ")) LIMIT $\(environment.count + 1)
            """, environment + [DeletingOldRows.batch]
        ).map(values)
    }

    /// Gives a row without an age the present time.
    func recordAge(of key: Key, _ db: StoreTransaction) throws {
        let environment: [any DatabaseValueConvertible] = hasEnvironment ? [db.environment.rawValue] : []
        let first = environment.count + 1
        let conditions =
            fixed + ["\(age) IS NULL"] + self.key.indices.map { "\(self.key[$0]) = $\($0 + first + 1)" }
        try db.run(
            "UPDATE \(table) SET \(age) = $\(first) WHERE \(conditions.joined(separator: " AND "))",
            environment + [db.now.milliseconds] + key)
    }

    /// The conditions of every statement on the table.
    private var fixed: [String] {
        (hasEnvironment ? ["environment = $1"] : []) + (condition.map { [$0] } ?? [])
    }

    private func values(of row: Row) throws -> Key { try key.map { try row.get($0) } }
}
