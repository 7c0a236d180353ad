// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// A queue of writes for the one writer. Writes that are added during a commit
/// share the next commit.
final class WriteQueue: @unchecked Sendable {  // because the condition guards the mutable properties
    /// Limits how long reads of a database in memory wait for one batch.
    private static let batchLimit = 256

    private let engine: any DatabaseWriter
    private let errors: SQLiteErrors
    private let texts: StatementTexts
    private let limit: Int
    private let condition = NSCondition()
    private var waiting: [ClosureJob] = []
    private var isRunning = false
    private var hasClosed = false
    private var commitCount = 0

    init(engine: any DatabaseWriter, errors: SQLiteErrors, texts: StatementTexts, limit: Int) {
        self.engine = engine
        self.errors = errors
        self.texts = texts
        self.limit = limit
    }

    /// Adds a write at the end of the queue. A full queue refuses it, unless
    /// it is urgent.
    func add(_ job: ClosureJob, isUrgent: Bool) {
        let (refusal, mustStart) = locked { () -> (DatabaseError?, Bool) in
            guard !hasClosed else { return (errors.closed, false) }
            guard isUrgent || waiting.count < limit else { return (errors.overloaded(work: "writes", limit), false) }
            waiting.append(job)
            defer { isRunning = true }
            return (nil, !isRunning)
        }
        if mustStart { runNext() }
        if let refusal { job.fail(refusal) }
    }

    /// Rejects new writes and waits for those in the queue. Returns `false`,
    /// without waiting, when an earlier call has closed the queue.
    func close() -> Bool {
        locked {
            guard !hasClosed else { return false }
            hasClosed = true
            while isRunning { condition.wait() }
            return true
        }
    }

    var isClosed: Bool { locked { hasClosed } }
    var load: DatabaseLoad {
        locked {
            var load = DatabaseLoad()
            load.connectionsInUse = isRunning ? 1 : 0
            load.idleConnections = isRunning ? 0 : 1
            load.waitingWrites = waiting.count
            return load
        }
    }
    var commits: Int { locked { commitCount } }

    /// Runs one batch on the writer. Between two batches the writer's dispatch
    /// queue is free, so that reads of a database in memory can run.
    private func runNext() {
        engine.asyncWriteWithoutTransaction { [self] database in
            let jobs = locked {
                defer { waiting.removeFirst(min(waiting.count, Self.batchLimit)) }
                return Array(waiting.prefix(Self.batchLimit))
            }
            WriteBatch(database: database, errors: errors, texts: texts) { [self] in locked { commitCount += 1 } }
                .run(jobs)
            let goesOn = locked {
                isRunning = !waiting.isEmpty
                if !isRunning { condition.broadcast() }
                return isRunning
            }
            if goesOn { runNext() }
        }
    }

    private func locked<T>(_ body: () -> T) -> T {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}
