// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs all tasks and queues of a session, one step at a time, on the calling
/// thread: when a call of the session returns, no work is left that could run.
///
/// It needs no thread besides the caller's, and therefore works on a machine
/// with one core.
final class SessionExecutor: TaskExecutor, @unchecked Sendable {
    // @unchecked because a lock protects the waiting steps.
    private enum Step {
        case job(UnownedJob)
        case work(@Sendable () -> Void)
    }

    private let lock = NSLock()
    private var steps: [Step] = []
    /// Held by the thread that runs the steps.
    private let driving = NSRecursiveLock()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { steps.append(.job(job)) }
    }

    /// Adds work that isn't part of a task.
    func add(_ work: @escaping @Sendable () -> Void) {
        lock.withLock { steps.append(.work(work)) }
    }

    /// Runs all steps that can run, and those that they add.
    func settle() {
        driving.withLock {
            while let step = next() {
                switch step {
                case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
                case .work(let work): work()
                }
            }
        }
    }

    private func next() -> Step? {
        lock.withLock { steps.isEmpty ? nil : steps.removeFirst() }
    }
}
