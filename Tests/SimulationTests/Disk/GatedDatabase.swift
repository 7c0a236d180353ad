// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The database of one process: the SQLite engine, called on the scheduler's
/// thread as long as the process lives.
struct GatedDatabase: Database, @unchecked Sendable {  // because only the scheduler's thread calls `beforeWrite`
    let engine: SQLiteDatabase
    let life: ProcessLife
    let scheduler: Scheduler
    /// Called after every access, because the process or its machine may have
    /// ended in it.
    let look: @Sendable () -> Void
    /// The planted mistake that changes the statements.
    var mistake: Mistake?
    /// Called at the beginning of every write transaction, to see the rows that
    /// the one before has written.
    var beforeWrite: ((any Connection) throws -> Void)?

    @discardableResult
    func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        await scheduler.turn()
        let result = Result { try writeNow(body) }
        await scheduler.turn()
        return try result.get()
    }

    func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        let result = Result { try readNow(body) }
        await scheduler.turn()
        return try result.get()
    }

    func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try writeNow(body)
    }

    func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try readNow(body)
    }

    func close() throws {
        try engine.close()
    }

    private func writeNow<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        let body = mistaken(body)
        guard let beforeWrite else { return try gate { try engine.write(body) } }
        nonisolated(unsafe) let look = beforeWrite  // because this thread waits for the transaction
        return try gate {
            try engine.write { connection in
                try look(connection)
                return try body(connection)
            }
        }
    }

    private func readNow<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try gate { try engine.read(mistaken(body)) }
    }

    private func mistaken<T>(
        _ body: @escaping @Sendable (any Connection) throws -> T
    ) -> @Sendable (any Connection) throws -> T {
        guard let mistake else { return body }
        return { [scheduler] in
            try body(MistakenConnection(connection: $0, mistake: mistake, now: { scheduler.now }))
        }
    }

    /// Runs the body if the process lives, and throws `CancellationError`
    /// otherwise. The caller belongs to the same process: its reaction has no
    /// effect.
    private func gate<T>(_ body: () throws -> T) throws -> T {
        guard life.isAlive else { throw CancellationError() }
        defer { look() }
        return try body()
    }
}
