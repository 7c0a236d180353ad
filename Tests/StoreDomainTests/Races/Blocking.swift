// SPDX-License-Identifier: Apache-2.0

import Dispatch
import StoreDatabase

/// Runs asynchronous code for a caller that is synchronous, and blocks the
/// caller's thread until the code has ended.
///
/// The code runs on the thread of a serial queue, not on the threads that
/// tasks share: those may all be blocked by callers of this function. The
/// caller must hold no lock and run no closure of a database.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let answer = BlockingResult<Value>()
    Task(executorPreference: QueueExecutor.shared) {
        do {
            answer.give(.success(try await body()))
        } catch {
            answer.give(.failure(error))
        }
    }
    return try answer.wait()
}

/// Runs tasks on a serial queue.
private final class QueueExecutor: TaskExecutor {
    static let shared = QueueExecutor()

    private let queue = DispatchQueue(label: "races")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
