// SPDX-License-Identifier: Apache-2.0

import GRDB

/// A SQLite database, in a file (write-ahead log, every commit flushed to the
/// disk) or in memory.
///
/// Writes that arrive during a commit are committed together, with one flush
/// for all. Several processes may open the same file.
public final class SQLiteDatabase: Database {
    private let engine: any DatabaseWriter
    private let errors: SQLiteErrors
    private let writes: WriteQueue

    private var scope: ClosureScope { ClosureScope(of: self) }

    /// Opens a database, making the file when there is none.
    ///
    /// A write waits at most `busyTimeout` for another process' write, then
    /// throws an error with code `busy`.
    ///
    /// - Throws: ``DatabaseError`` with code `readOnly` when the file can't be
    ///   opened or made, `notADatabase`, `busy` or `diskFull`.
    public init(_ location: Location, busyTimeout: Duration = .seconds(5)) throws {
        errors = SQLiteErrors(location: location, busyTimeout: busyTimeout)
        engine = try SQLiteOpening(location: location, busyTimeout: busyTimeout, errors: errors).open()
        writes = WriteQueue(engine: engine, errors: errors)
    }

    /// Runs a closure that may change anything.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    @discardableResult
    public func write<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws -> T {
        // Cancellation is ignored: the caller of a committed write must
        // receive its result.
        try await withCheckedThrowingContinuation { continuation in
            writes.add(ClosureJob(scope: scope, body) { continuation.resume(with: $0) })
        }
    }

    /// The same as ``write(_:)``, since SQLite has one writer.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    @discardableResult
    public func write<T: Sendable>(
        for account: String, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await write(body)
    }

    /// Runs a closure on a snapshot. Reads of a file run concurrently with the
    /// writer, reads of a database in memory take turns with it.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    public func read<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            startRead(body) { continuation.resume(with: $0) }
        }
    }

    /// Runs a closure that may change anything; blocks until the commit.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    @discardableResult
    public func write<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        scope.refuse("write")
        let answer = BlockingResult<T>()
        writes.add(ClosureJob(scope: scope, body) { answer.give($0) })
        return try answer.wait()
    }

    /// Runs a closure on a snapshot; blocks until the closure has returned.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    public func read<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        scope.refuse("read")
        guard !writes.isClosed else { throw errors.closed }
        do {
            return try engine.read { [errors, scope] database in
                let connection = SQLiteConnection(database, access: .read, errors: errors)
                return try scope.run { try body(connection) }
            }
        } catch {
            throw errors.map(error)
        }
    }

    /// Finishes the waiting writes, then closes the connections; blocks until
    /// that is done.
    ///
    /// - Throws: ``DatabaseError`` when SQLite can't close.
    public func close() throws {
        scope.refuse("close")
        guard writes.close() else { return }
        do {
            try engine.close()
        } catch {
            throw errors.map(error)
        }
    }

    private func startRead<T: Sendable>(
        _ body: @escaping @Sendable (any Connection) throws -> T,
        answer: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        guard !writes.isClosed else { return answer(.failure(errors.closed)) }
        engine.asyncRead { [errors, scope] result in
            answer(
                Result {
                    let connection = SQLiteConnection(try result.get(), access: .read, errors: errors)
                    return try scope.run { try body(connection) }
                }.mapError { errors.map($0) })
        }
    }

    /// The number of waiting writes.
    var waitingWrites: Int { writes.waitingCount }

    /// The number of commits so far.
    var commits: Int { writes.commits }
}
