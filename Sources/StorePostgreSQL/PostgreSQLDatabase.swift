// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

/// A database on a PostgreSQL server, 13 or newer.
///
/// Closures run on the database's own threads, each with a connection. Writes
/// of different accounts and keys run concurrently, those of all rows with
/// SERIALIZABLE isolation: when two conflict, one of them runs again. A lost connection is
/// replaced, and its closure runs again. If it was lost during a commit, the
/// new session first looks up the result of the commit.
package final class PostgreSQLDatabase: Database {
    private let pool: Pool

    private var scope: ClosureScope { ClosureScope(of: self) }

    /// Connects to the server once, so that a wrong URL is reported
    /// immediately. libpq parses the URL:
    /// `postgres://user:password@host/name?sslmode=…`.
    ///
    /// `random` varies the pauses between attempts, `now` measures how long
    /// the server has been unreachable.
    ///
    /// - Throws: ``DatabaseError`` with code `unreachable` when the server
    ///   can't be reached or rejects this process, `notADatabase`, `readOnly`
    ///   when it can't be written, `other` for an invalid URL, an old server
    ///   or another encoding than UTF8. No message contains the password.
    package init(
        url: String, options: Options, random: some RandomNumberGenerator & Sendable,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) throws {
        let address = try ServerAddress(url)
        let opening = SessionOpening(address: address, options: options)
        let errors = PostgreSQLErrors(name: address.name, options: options)
        let first: Session
        do {
            first = try opening.open()
            try SchemaLock.makeTypes(first)
        } catch let failure as ServerConnectionError {
            throw failure.error
        } catch Failure.refused(let error, _) {
            throw errors.map(error, access: .write)
        } catch Failure.lost(let message) {
            throw errors.lost(message)
        }
        pool = Pool(opening, first: first, errors: errors, pauses: RetryPauses(random), now: now)
    }

    deinit { pool.closeLater() }

    /// Runs a closure. A scope of ``WriteScope/all`` has SERIALIZABLE
    /// isolation, and its closure runs again after a conflict with another
    /// transaction. The others have READ COMMITTED isolation, after locking
    /// the account or the key. If the write is urgent, it isn't refused
    /// because others wait.
    ///
    /// Ignores cancellation: the caller of a committed write must receive its
    /// result.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    @discardableResult
    package func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            add(.write(rows), isUrgent: isUrgent, nil, body) { continuation.resume(with: $0) }
        }
    }

    /// Runs a closure on a snapshot. Cancelling the task cancels the read. If
    /// it is urgent, it isn't refused because others wait.
    ///
    /// - Throws: The error that the closure throws, `CancellationError`, or
    ///   ``DatabaseError``.
    package func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(.read, isUrgent: isUrgent, cancellation, body) { result in
                    // A cancelled statement throws like any other failed
                    // statement.
                    if case .failure = result, cancellation.isCancelled {
                        continuation.resume(throwing: CancellationError())
                    } else {
                        continuation.resume(with: result)
                    }
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Runs a closure that may change anything; blocks until the commit.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    @discardableResult
    package func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        scope.refuse("write")
        let answer = BlockingResult<T>()
        add(.write(.all), isUrgent: false, nil, body) { answer.give($0) }
        return try answer.wait()
    }

    /// Runs a closure on a snapshot; blocks until the closure has returned.
    ///
    /// - Throws: The error that the closure throws, or ``DatabaseError``.
    package func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        scope.refuse("read")
        let answer = BlockingResult<T>()
        add(.read, isUrgent: false, nil, body) { answer.give($0) }
        return try answer.wait()
    }

    /// Waits for the accepted closures, then closes the connections. Blocks
    /// until that is done and never throws.
    package func close() throws {
        scope.refuse("close")
        pool.close()
    }

    private func add<T: Sendable>(
        _ kind: PooledWork.Kind, isUrgent: Bool, _ cancellation: Cancellation?,
        _ body: @escaping @Sendable (any Connection) throws -> T,
        answer: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        let job = ClosureJob(scope: scope, body, answer: answer)
        pool.add(PooledWork(kind: kind, job: job, added: pool.now(), cancellation: cancellation), isUrgent: isUrgent)
    }

    /// The state of the connections, and the lengths of their queues.
    package var load: DatabaseLoad { pool.load }
}
