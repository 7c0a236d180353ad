// SPDX-License-Identifier: Apache-2.0

import GRDB

/// A SQLite database, in a file (write-ahead log, every commit flushed to the
/// disk) or in memory.
///
/// Writes that arrive while another is being committed are committed together,
/// with one flush for all. Several processes may open the same file.
public final class SQLiteDatabase: Database {
    private let engine: any DatabaseWriter
    private let errors: SQLiteErrors
    private let writes: WriteQueue

    private var scope: ClosureScope { ClosureScope(of: self) }

    /// Opens a database, making the file when there is none.
    ///
    /// A write waits for another process' write as long as `busyTimeout`
    /// before it throws an error with code `busy`.
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
    /// - Throws: What the closure throws, or ``DatabaseError``.
    @discardableResult
    public func write<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws -> T {
        // Nothing listens for cancellation: the answer of a write that has
        // been committed must not get lost.
        try await withCheckedThrowingContinuation { continuation in
            writes.add(ClosureJob(scope: scope, body) { continuation.resume(with: $0) })
        }
    }

    /// The same as ``write(_:)``, since SQLite has one writer.
    ///
    /// - Throws: What the closure throws, or ``DatabaseError``.
    @discardableResult
    public func write<T: Sendable>(
        for account: String, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await write(body)
    }

    /// Runs a closure on a snapshot: beside the writer on a file, in turn with
    /// it in memory.
    ///
    /// - Throws: What the closure throws, or ``DatabaseError``.
    public func read<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            startRead(body) { continuation.resume(with: $0) }
        }
    }

    /// Blocks until the write has been committed.
    ///
    /// - Throws: What the closure throws, or ``DatabaseError``.
    @discardableResult
    public func write<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        scope.refuse("write")
        let answer = Answer<T>()
        writes.add(ClosureJob(scope: scope, body) { answer.give($0) })
        return try answer.wait()
    }

    /// Blocks until the closure has read.
    ///
    /// - Throws: What the closure throws, or ``DatabaseError``.
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

    /// How many writes wait for their turn.
    var waitingWrites: Int { writes.waitingCount }

    /// How many commits there have been; as many flushes, at most.
    var commits: Int { writes.commits }
}
