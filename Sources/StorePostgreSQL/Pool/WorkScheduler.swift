// SPDX-License-Identifier: Apache-2.0

/// The scheduler: decides which jobs may run concurrently. A job that has to
/// wait stays here and doesn't occupy a connection.
///
/// Jobs for one account run one at a time, in order. A `write` that conflicted
/// repeatedly waits until no other `write` runs, and then runs as the only
/// one. Jobs for accounts are not held back by it.
struct WorkScheduler {
    /// The jobs that may run now, in order.
    private(set) var ready = FIFOQueue<PooledWork>()

    private var accounts: [String: FIFOQueue<PooledWork>] = [:]
    private var writing = 0
    private var isExclusiveRunning = false
    private var writes = FIFOQueue<PooledWork>()
    private var exclusive = FIFOQueue<PooledWork>()

    /// Adds a job to the queue that it has to wait in.
    mutating func enter(_ work: PooledWork) {
        switch work.kind {
        case .read: ready.append(work)
        case .account(let account):
            if accounts[account] == nil {
                accounts[account] = FIFOQueue()
                ready.append(work)
            } else {
                accounts[account]?.append(work)
            }
        case .write:
            work.isExclusive ? exclusive.append(work) : writes.append(work)
            admitWrites()
        }
    }

    /// Takes the next job. Call ``leave(_:)`` when it is done.
    mutating func take() -> PooledWork? { ready.popFirst() }

    /// Makes the jobs ready that waited for this job.
    mutating func leave(_ work: PooledWork) {
        switch work.kind {
        case .read: break
        case .account(let account):
            if let next = accounts[account]?.popFirst() {
                ready.append(next)
            } else {
                accounts[account] = nil
            }
        case .write:
            writing -= 1
            if work.isExclusive { isExclusiveRunning = false }
            admitWrites()
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
