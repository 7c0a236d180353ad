// SPDX-License-Identifier: Apache-2.0

/// One connection, inside a transaction.
///
/// It is synchronous and lives as long as the closure that it was given to.
/// Parameters are written `$1, $2 …` and bound by their number, so that they
/// may come in any order and more than once:
///
/// ```swift
/// try connection.run("UPDATE device SET name = $2 WHERE id = $1", [id, name])
/// ```
///
/// Each string holds one statement. `BEGIN`, `COMMIT`, `SAVEPOINT` and their
/// relatives belong to the engine: giving one is a programmer error.
public protocol Connection {
    /// Runs a statement and returns the number of rows it changed itself,
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
    /// The statement still runs to its end, so say `LIMIT 1` where many rows
    /// would match.
    ///
    /// - Throws: ``DatabaseError``.
    public func row(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) throws -> Row? {
        try rows(sql, arguments).first
    }
}
