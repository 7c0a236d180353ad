// SPDX-License-Identifier: Apache-2.0

import GRDB

/// A SQLite database, in a file (write-ahead log, every commit flushed to the
/// disk) or in memory.
///
/// Writes that arrive during a commit are committed together, with one flush
/// for all. Several processes may open the same file.
public final class SQLiteDatabase: Database {
    private let engine: any DatabaseWriter
    private let isInMemory: Bool
    private let errors: SQLiteErrors
    private let texts: StatementTexts
    private let writes: WriteQueue
    private let reads: WaitingReads
    private let limits: WaitingLimits

    private var scope: ClosureScope { ClosureScope(of: self) }
    private var snapshot: SQLiteSnapshot {
        SQLiteSnapshot(isInMemory: isInMemory, errors: errors, texts: texts, scope: scope)
    }

    /// Opens a database, making the file when there is none.
    ///
    /// A write waits at most `busyTimeout` for another process' write, then
    /// throws an error with code `busy`. `limits` has the numbers of calls
    /// that wait at most.
    ///
    /// - Throws: ``DatabaseError`` with code `readOnly` when the file can't be
    ///   opened or made, `notADatabase`, `busy` or `diskFull`.
    public convenience init(
        _ location: Location, busyTimeout: Duration = .seconds(5), limits: WaitingLimits = WaitingLimits()
    ) throws {
        try self.init(location, busyTimeout: busyTimeout, limits: limits, texts: .shared)
    }

    /// Opens a database that reads its statements' texts with others' that have
    /// the same `texts`.
    init(
        _ location: Location, busyTimeout: Duration = .seconds(5), limits: WaitingLimits = WaitingLimits(),
        texts: StatementTexts
    ) throws {
        self.texts = texts
        isInMemory = location.path == nil
        errors = SQLiteErrors(location: location, busyTimeout: busyTimeout)
        engine = try SQLiteOpening(location: location, busyTimeout: busyTimeout, errors: errors).open()
        writes = WriteQueue(engine: engine, errors: errors, texts: texts, limit: limits.writes)
        reads = WaitingReads(limit: limits.reads)
        self.limits = limits
    }

    /// Runs a closure, alone, since SQLite has one writer. If it is urgent, it
    /// isn't refused because others wait.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    @discardableResult
    public func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        // Cancellation is ignored: the caller of a committed write must
        // receive its result.
        try await withCheckedThrowingContinuation { continuation in
            writes.add(ClosureJob(scope: scope, body) { continuation.resume(with: $0) }, isUrgent: isUrgent)
        }
    }

    /// Runs a closure on a snapshot. Reads of a file run concurrently with the
    /// writer, reads of a database in memory take turns with it. If it is
    /// urgent, it isn't refused because others wait.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    public func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            startRead(isUrgent, body) { continuation.resume(with: $0) }
        }
    }

    /// Runs a closure that may change anything; blocks until the commit.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    @discardableResult
    public func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        scope.refuse("write")
        let answer = BlockingResult<T>()
        writes.add(ClosureJob(scope: scope, body) { answer.give($0) }, isUrgent: false)
        return try answer.wait()
    }

    /// Runs a closure on a snapshot; blocks until the closure has returned.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    public func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        scope.refuse("read")
        guard !writes.isClosed else { throw errors.closed }
        guard let place = reads.enter(isUrgent: false) else { throw errors.overloaded(work: "reads", limits.reads) }
        defer { place.leave() }
        do {
            return try engine.unsafeRead { [snapshot] database in
                place.leave()
                return try snapshot.read(database, body)
            }
        } catch {
            throw errors.map(error)
        }
    }

    /// Replaces the contents of another database by a copy of this one's
    /// pages; blocks until that is done. It takes a fraction of the time of
    /// the statements that made them.
    ///
    /// - Throws: ``DatabaseError``.
    package func copy(to other: SQLiteDatabase) throws {
        do {
            try engine.backup(to: other.engine)
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
        _ isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T,
        answer: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        guard !writes.isClosed else { return answer(.failure(errors.closed)) }
        guard let place = reads.enter(isUrgent: isUrgent) else {
            return answer(.failure(errors.overloaded(work: "reads", limits.reads)))
        }
        engine.asyncUnsafeRead { [errors, snapshot] result in
            place.leave()
            answer(Result { try snapshot.read(result.get(), body) }.mapError { errors.map($0) })
        }
    }

    /// The state of the one writer, the length of its queue, and the number of
    /// reads that wait for a connection.
    public var load: DatabaseLoad {
        var load = writes.load
        load.waitingReads = reads.count
        return load
    }

    /// The number of commits so far.
    var commits: Int { writes.commits }
}
