// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreDatabase
import Synchronization

/// The system of a session's agent: a journal in memory, no other process, and
/// queues that the session runs. The other files are real, because apps read
/// the receipt.
struct SessionSystem: AgentSystem {
    let executor: SessionExecutor

    var files: any FileSystem { SessionFiles() }

    func openJournal(_ file: URL) throws -> any Database {
        SynchronousDatabase(engine: try SQLiteDatabase(.memory))
    }

    func makeQueue(_ label: String) -> any WorkQueue { SessionQueue(executor) }

    func enter(
        _ process: String, in folder: URL, woken: @escaping @Sendable () -> Void
    ) throws -> any ProcessPresence {
        OnlyProcess(identifier: process)
    }

    func acquireLock(_ file: URL) async throws -> any HeldLock { FreeLock() }
}

/// The app's only process.
private struct OnlyProcess: ProcessPresence {
    let identifier: String

    func wakeOthers() {}
    func isAlive(_ process: String) -> Bool { process == identifier }
    func leave() {}
}

private struct FreeLock: HeldLock {
    func release() {}
}

/// A serial queue that the session's executor runs.
private final class SessionQueue: WorkQueue {
    private let executor: SessionExecutor
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    init(_ executor: SessionExecutor) {
        self.executor = executor
    }

    func async(_ work: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(work) }
        executor.add { self.runNext() }
    }

    /// Drops the work. The agent delays work only to repeat a failed write of
    /// the journal, which is in memory here, and to detect other processes
    /// that have died, of which there are none here.
    func async(after pause: Duration, _ work: @escaping @Sendable () -> Void) {}

    func sync(_ work: () -> Void) {
        while runNext() {}
        work()
    }

    @discardableResult
    private func runNext() -> Bool {
        let next = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        next?()
        return next != nil
    }
}

/// A database that completes each call before it returns, so that no task of a
/// session waits for another thread.
struct SynchronousDatabase: Database {
    let engine: SQLiteDatabase

    @discardableResult
    func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try engine.writeAndWait(body)
    }

    func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try engine.readAndWait(body)
    }

    func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try engine.writeAndWait(body)
    }

    func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try engine.readAndWait(body)
    }

    func close() throws {
        try engine.close()
    }
}
