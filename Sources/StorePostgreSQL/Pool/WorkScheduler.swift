// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The scheduler: decides which jobs may run concurrently. A job that has to
/// wait stays here and doesn't occupy a connection.
///
/// Writes of one account or key run one at a time, in order. A write of all
/// rows that conflicted repeatedly waits until no other such write runs, and
/// then runs as the only one. Writes of accounts and keys are not held back by
/// it.
struct WorkScheduler {
    /// The jobs that may run now, in order.
    private(set) var ready = FIFOQueue<PooledWork>()

    /// The waiting writes of each account and key of which a write runs.
    private var lines: [WriteScope: FIFOQueue<PooledWork>] = [:]
    private var writing = 0
    private var isExclusiveRunning = false
    private var writes = FIFOQueue<PooledWork>()
    private var exclusive = FIFOQueue<PooledWork>()

    /// Adds a job to the queue that it has to wait in.
    mutating func enter(_ work: PooledWork) {
        switch work.kind {
        case .read: ready.append(work)
        case .write(.all):
            work.isExclusive ? exclusive.append(work) : writes.append(work)
            admitWrites()
        case .write(let rows):
            if lines[rows] == nil {
                lines[rows] = FIFOQueue()
                ready.append(work)
            } else {
                lines[rows]?.append(work)
            }
        }
    }

    /// Takes the next job. Call ``leave(_:)`` when it is done.
    mutating func take() -> PooledWork? { ready.popFirst() }

    /// Makes the jobs ready that waited for this job.
    mutating func leave(_ work: PooledWork) {
        switch work.kind {
        case .read: break
        case .write(.all):
            writing -= 1
            if work.isExclusive { isExclusiveRunning = false }
            admitWrites()
        case .write(let rows):
            if let next = lines[rows]?.popFirst() {
                ready.append(next)
            } else {
                lines[rows] = nil
            }
        }
    }

    private mutating func admitWrites() {
        while !isExclusiveRunning {
            if !exclusive.isEmpty {
                guard writing == 0, let work = exclusive.popFirst() else { return }
                isExclusiveRunning = true
                writing = 1
                ready.append(work)
            } else if let work = writes.popFirst() {
                writing += 1
                ready.append(work)
            } else {
                return
            }
        }
    }
}
