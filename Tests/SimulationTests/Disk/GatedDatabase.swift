// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The database of one process: the SQLite engine, called on the scheduler's
/// thread as long as the process lives.
struct GatedDatabase: Database {
    let engine: SQLiteDatabase
    let life: ProcessLife
    let scheduler: Scheduler
    /// Called after every access, because the process or its machine may have
    /// ended in it.
    let look: @Sendable () -> Void

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
        try gate { try engine.write(body) }
    }

    private func readNow<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try gate { try engine.read(body) }
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
