// SPDX-License-Identifier: Apache-2.0

/// A connection to the database, inside a transaction.
///
/// It is synchronous and valid only within the closure that receives it.
/// Parameters are written `$1, $2 …` and bound by their number, so that they
/// may appear in any order and more than once:
///
/// ```swift
/// try connection.run("UPDATE device SET name = $2 WHERE id = $1", [id, name])
/// ```
///
/// Beside the functions that both engines have, `wall_now($1)` is the time in
/// milliseconds by which processes compare leases: the server's clock on
/// PostgreSQL, and on SQLite the argument, which is the caller's own time.
///
/// Each string holds one statement. Only the engine runs `BEGIN`, `COMMIT`,
/// `SAVEPOINT` and related statements: passing one is a programmer error that
/// ends the process.
public protocol Connection {
    /// Runs a statement and returns the number of rows that it changed itself,
    /// without those changed by triggers and foreign keys.
    ///
    /// - Throws: ``DatabaseError``.
    @discardableResult
    func run(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> Int

    /// All rows that a statement gives (`SELECT`, or `… RETURNING …`).
    ///
    /// - Throws: ``DatabaseError``.
    func rows(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Row]
}

extension Connection {
    /// Runs a statement without parameters; returns the number of rows changed.
    ///
    /// - Throws: ``DatabaseError``.
    @discardableResult
    public func run(_ sql: String) throws -> Int {
        try run(sql, [])
    }

    /// All rows that a statement without parameters gives.
    ///
    /// - Throws: ``DatabaseError``.
    public func rows(_ sql: String) throws -> [Row] {
        try rows(sql, [])
    }

    /// The first row that a statement gives, or `nil` when it gives none.
    ///
    /// The statement still runs to its end: add `LIMIT 1` where many rows
    /// would match.
    ///
    /// - Throws: ``DatabaseError``.
    public func row(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) throws -> Row? {
        try rows(sql, arguments).first
    }
}
