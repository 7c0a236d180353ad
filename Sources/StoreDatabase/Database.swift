// SPDX-License-Identifier: Apache-2.0

/// A database of either engine.
///
/// ```swift
/// let name: String? = try await database.read { connection in
///     try connection.row("SELECT name FROM device WHERE id = $1", [id])?.get("name")
/// }
/// ```
///
/// Each closure runs in a transaction. If it throws, all its changes are
/// undone. A call returns only after its changes are durable. A write closure
/// may run twice, and a write that threw may have been committed (when the
/// connection was lost during the commit): begin the closure by looking up the
/// request's recorded answer, and have no effect outside the database.
///
/// A call that finds too many others waiting throws ``DatabaseError`` with code
/// `overloaded` before its closure is run (``WaitingLimits``). A call with
/// `isUrgent` is accepted nevertheless: it belongs to work that was accepted
/// before, for example to a payment that is authorised. Each accepted call
/// makes a bounded number of urgent ones, so that they are bounded, too. An
/// urgent call isn't run before the others.
///
/// Cancelling a task doesn't cancel its write: the call still returns the
/// closure's result.
///
/// The methods without `async` are for synchronous code. They block the
/// thread. Calling one inside a closure of the same database is a programmer
/// error that ends the process, since the call would wait for itself.
public protocol Database: Sendable {
    /// Runs a closure that changes the rows of a scope. If it is urgent, it
    /// isn't refused because others wait.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    @discardableResult
    func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T

    /// Runs a closure that changes nothing and sees one committed state. If it
    /// is urgent, it isn't refused because others wait.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T

    /// Runs a closure that may change anything; blocks until the commit.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    @discardableResult
    func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T

    /// Runs a closure on one committed state; blocks until it has returned.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T

    /// How busy the database is now. Reading it takes no connection.
    var load: DatabaseLoad { get }

    /// Waits for the pending writes, then closes the database. Later calls
    /// throw ``DatabaseError`` with code `closed`. Closing twice is allowed.
    ///
    /// - Throws: ``DatabaseError`` when the engine can't close.
    func close() throws
}

extension Database {
    /// Runs a closure that may change anything, isolated from other writes
    /// (``WriteScope/all``).
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    @discardableResult
    public func write<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws -> T {
        try await write(.all, isUrgent: false, body)
    }

    /// Runs a closure that changes the rows of a scope.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    @discardableResult
    public func write<T: Sendable>(
        _ rows: WriteScope, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await write(rows, isUrgent: false, body)
    }

    /// Runs a closure that changes nothing and sees one committed state.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    public func read<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws -> T {
        try await read(isUrgent: false, body)
    }

    /// The same as ``writeAndWait(_:)``, for code that isn't asynchronous.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    @discardableResult
    public func write<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try writeAndWait(body)
    }

    /// The same as ``readAndWait(_:)``, for code that isn't asynchronous.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    public func read<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try readAndWait(body)
    }

    /// The load of a database that doesn't measure it.
    public var load: DatabaseLoad { DatabaseLoad() }
}
