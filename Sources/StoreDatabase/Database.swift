// SPDX-License-Identifier: Apache-2.0

/// A database of either engine.
///
/// ```swift
/// let name: String? = try await database.read { connection in
///     try connection.row("SELECT name FROM device WHERE id = $1", [id])?.get("name")
/// }
/// ```
///
/// A closure is a transaction: what it throws undoes all it did, and nobody is
/// answered before what it did is durable. A write closure may run twice, and
/// a write that threw may have happened (a connection lost while committing):
/// begin it by looking up the request's recorded answer, and have no effect
/// outside the database.
///
/// Cancelling a task doesn't take its write back: the call still returns what
/// the closure returned.
///
/// The methods without `async` are for code that can't wait otherwise. They
/// block the thread, and calling one inside a closure of the same database is
/// a programmer error that ends the process, since it would wait for itself.
public protocol Database: Sendable {
    /// Runs a closure that may change anything, as if it were alone.
    ///
    /// - Throws: What the closure throws, or ``DatabaseError``.
    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws -> T

    /// Runs a closure that changes one account's rows only.
    ///
    /// PostgreSQL runs it beside those of other accounts; on SQLite it is the
    /// same as ``write(_:)``.
    ///
    /// - Throws: What the closure throws, or ``DatabaseError``.
    @discardableResult
    func write<T: Sendable>(
        for account: String, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T

    /// Runs a closure that changes nothing and sees one committed state.
    ///
    /// - Throws: What the closure throws, or ``DatabaseError``.
    func read<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws -> T

    /// The synchronous door to ``write(_:)``: blocks until the answer is there.
    ///
    /// - Throws: What the closure throws, or ``DatabaseError``.
    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T

    /// The synchronous door to ``read(_:)``: blocks until the answer is there.
    ///
    /// - Throws: What the closure throws, or ``DatabaseError``.
    func read<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T

    /// Finishes the writes that are waiting, then closes; later calls throw
    /// ``DatabaseError`` with code `closed`. Closing twice is allowed.
    ///
    /// - Throws: ``DatabaseError`` when the engine can't close.
    func close() throws
}
