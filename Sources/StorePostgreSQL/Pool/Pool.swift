// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// The waiting jobs and the threads that run them.
final class Pool: @unchecked Sendable {  // because the condition guards the mutable properties
    let errors: PostgreSQLErrors
    let now: @Sendable () -> ContinuousClock.Instant

    private let opening: SessionOpening
    private let pauses: RetryPauses
    private let condition = NSCondition()
    /// The session with which the database was opened, until a thread takes
    /// it.
    private var first: Session?
    private var scheduler = WorkScheduler()
    private var workers = 0
    private var running = 0
    private var waitingReads = 0
    private var waitingWrites = 0
    private var hasClosed = false
    private var unreachableSince: ContinuousClock.Instant?

    init(
        _ opening: SessionOpening, first: Session, errors: PostgreSQLErrors, pauses: RetryPauses,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.opening = opening
        self.first = first
        self.errors = errors
        self.pauses = pauses
        self.now = now
    }

    /// Adds a job and starts a thread when all others are busy. The job is
    /// refused when too many of its kind wait and it isn't urgent.
    func add(_ work: PooledWork, isUrgent: Bool) {
        let (refusal, needsWorker) = locked { () -> (DatabaseError?, Bool) in
            guard !hasClosed else { return (errors.closed, false) }
            guard isUrgent || hasRoom(for: work.kind) else { return (errors.overloaded(work.kind), false) }
            count(work, 1)
            scheduler.enter(work)
            return (nil, callWorker())
        }
        if needsWorker { startWorker() }
        if let refusal { work.job.fail(refusal) }
    }

    private func hasRoom(for kind: PooledWork.Kind) -> Bool {
        let limits = opening.options.limits
        return kind == .read ? waitingReads < limits.reads : waitingWrites < limits.writes
    }

    /// The number of accepted jobs that haven't ended.
    private var unfinished: Int { running + waitingReads + waitingWrites }

    private func count(_ work: PooledWork, _ change: Int) {
        if work.kind == .read { waitingReads += change } else { waitingWrites += change }
    }

    /// Waits for the next job; `nil` when the pool is closed and all jobs have
    /// ended.
    func next() -> PooledWork? {
        locked {
            while true {
                if let work = scheduler.take() {
                    running += 1
                    count(work, -1)
                    return work
                }
                guard !hasClosed || unfinished > 0 else { return nil }
                condition.wait()
            }
        }
    }

    /// Returns the session with which the database was opened; `nil` when a
    /// thread has it.
    func takeFirst() -> Session? {
        locked {
            defer { first = nil }
            return first
        }
    }

    /// Records that a thread has closed its connection and ends.
    func workerHasEnded() {
        locked {
            workers -= 1
            condition.broadcast()
        }
    }

    /// Records that a job from ``next()`` has ended, and that its thread takes
    /// another one. `again` is the job with changed options when it has to run
    /// again.
    func finish(_ work: PooledWork, again: PooledWork? = nil) {
        let needsWorker = locked {
            running -= 1
            if let again {
                count(again, 1)
                scheduler.enter(again)
            }
            scheduler.leave(work)
            if unfinished == 0, hasClosed { condition.broadcast() }
            return callWorker()
        }
        if needsWorker { startWorker() }
    }

    /// Rejects new jobs, and waits until all accepted jobs are done and the
    /// connections are closed.
    func close() {
        locked {
            hasClosed = true
            first = nil
            condition.broadcast()
            while workers > 0 { condition.wait() }
        }
    }

    /// Like ``close()``, without waiting.
    func closeLater() {
        locked {
            hasClosed = true
            first = nil
            condition.broadcast()
        }
    }

    /// Records whether the server can be reached. Returns since when it can't
    /// be reached, or `nil` when it can.
    func noteReachable(_ isReachable: Bool) -> ContinuousClock.Instant? {
        locked {
            unreachableSince = isReachable ? nil : unreachableSince ?? now()
            return unreachableSince
        }
    }

    /// The connections and the waiting jobs now.
    var load: DatabaseLoad {
        locked {
            var load = DatabaseLoad()
            load.connectionsInUse = running
            load.idleConnections = idle
            load.waitingReads = waitingReads
            load.waitingWrites = waitingWrites
            load.isReachable = unreachableSince == nil
            return load
        }
    }

    /// The threads without a job: those that wait, that begin, and that answer
    /// the caller of their last job.
    private var idle: Int { workers - running }

    private func callWorker() -> Bool {
        guard !scheduler.ready.isEmpty else { return false }
        // `signal()` might wake only the thread that waits in ``close()``.
        scheduler.ready.count > 1 || hasClosed ? condition.broadcast() : condition.signal()
        guard scheduler.ready.count > idle, workers < opening.options.connections else { return false }
        workers += 1
        return true
    }

    private func startWorker() {
        let thread = Thread { [self] in Worker(pool: self, opening: opening, pauses: pauses).run() }
        thread.name = "StorePostgreSQL"
        thread.start()
    }

    private func locked<T>(_ body: () -> T) -> T {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}
