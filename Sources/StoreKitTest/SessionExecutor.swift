// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Runs everything of a session, its tasks and its queues, one step after the
/// other, on whatever thread calls it: when a call of the session returns,
/// nothing is left that could go on.
///
/// No thread waits for another here, so it works on a machine with one core.
final class SessionExecutor: TaskExecutor, @unchecked Sendable {
    // @unchecked because the steps that wait are behind a lock.
    private enum Step {
        case job(UnownedJob)
        case work(@Sendable () -> Void)
    }

    private let lock = NSLock()
    private var steps: [Step] = []
    /// Held by the thread that takes the steps.
    private let driving = NSRecursiveLock()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { steps.append(.job(job)) }
    }

    /// Adds work that is no task's.
    func add(_ work: @escaping @Sendable () -> Void) {
        lock.withLock { steps.append(.work(work)) }
    }

    /// Takes every step that can be taken, and those that they lead to.
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
