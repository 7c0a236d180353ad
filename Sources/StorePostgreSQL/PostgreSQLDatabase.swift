// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

/// A database on a PostgreSQL server, 13 or newer.
///
/// Closures run on threads of its own, each with a connection. Writes for
/// different accounts run beside one another, other writes as if they were
/// alone: where two are in each other's way, one of them runs again. A lost
/// connection is replaced, and what it was doing is done again; a commit that
/// it was lost in is asked after first.
package final class PostgreSQLDatabase: Database {
    private let pool: Pool

    private var scope: ClosureScope { ClosureScope(of: self) }

    /// Connects to the server of a URL that libpq understands, once, to say at
    /// once what is wrong: `postgres://user:password@host/name?sslmode=…`.
    ///
    /// The random source makes the pauses before new attempts differ, the clock
    /// measures how long a server has been away.
    ///
    /// - Throws: ``DatabaseError`` with code `unreachable` when the server
    ///   isn't there or doesn't let this process in, `notADatabase`,
    ///   `readOnly` when it can't be written, `other` for a bad URL, an old
    ///   server or another encoding than UTF8. No message holds the password.
    package init(
        url: String, options: Options, random: some RandomNumberGenerator & Sendable,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) throws {
        let address = try ServerAddress(url)
        let opening = SessionOpening(address: address, options: options)
        let errors = PostgreSQLErrors(name: address.name, options: options)
        do {
            try SchemaLock.makeTypes(try opening.open())
        } catch let failure as ConnectionFailure {
            throw failure.error
        } catch Failure.refused(let error, _) {
            throw errors.map(error, access: .write)
        } catch Failure.lost(let message) {
            throw errors.lost(message)
        }
        pool = Pool(opening, errors: errors, backoff: Backoff(random), now: now)
    }

    deinit { pool.closeLater() }

    /// Runs a closure that may change anything: SERIALIZABLE, and again when
    /// another transaction was in the way.
    ///
    /// - Throws: What the closure throws, or ``DatabaseError``.
    @discardableResult
    package func write<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws -> T {
        try await write(.write, body)
    }

    /// Runs a closure that changes one account's rows: READ COMMITTED, after
    /// locking the account.
    ///
    /// - Throws: What the closure throws, or ``DatabaseError``.
    @discardableResult
    package func write<T: Sendable>(
        for account: String, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await write(.account(account), body)
    }

    /// Runs a closure on a snapshot. Cancelling the task stops it.
    ///
    /// - Throws: What the closure throws, `CancellationError`, or
    ///   ``DatabaseError``.
    package func read<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws -> T {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(.read, cancellation, body) { result in
                    // Being stopped looks like any other error of a statement.
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

    /// Blocks until the write has been committed.
    ///
    /// - Throws: What the closure throws, or ``DatabaseError``.
    @discardableResult
    package func write<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        scope.refuse("write")
        let answer = Answer<T>()
        add(.write, nil, body) { answer.give($0) }
        return try answer.wait()
    }

    /// Blocks until the closure has read.
    ///
    /// - Throws: What the closure throws, or ``DatabaseError``.
    package func read<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        scope.refuse("read")
        let answer = Answer<T>()
        add(.read, nil, body) { answer.give($0) }
        return try answer.wait()
    }

    /// Finishes what is waiting, then closes the connections; blocks until
    /// that is done. Never throws.
    package func close() throws {
        scope.refuse("close")
        pool.close()
    }

    /// Nothing listens for cancellation: the answer of a write that has been
    /// committed must not get lost.
    private func write<T: Sendable>(
        _ kind: Work.Kind, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            add(kind, nil, body) { continuation.resume(with: $0) }
        }
    }

    private func add<T: Sendable>(
        _ kind: Work.Kind, _ cancellation: Cancellation?, _ body: @escaping @Sendable (any Connection) throws -> T,
        answer: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        let job = ClosureJob(scope: scope, body, answer: answer)
        pool.add(Work(kind: kind, job: job, added: pool.now(), cancellation: cancellation))
    }

    /// How many closures wait for their turn.
    package var waiting: Int { pool.waitingCount }
}
