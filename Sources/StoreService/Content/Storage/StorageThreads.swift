// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Threads that only read and write the files of hosted content.
///
/// A slow disk blocks a thread for as long as a read takes. On the threads of
/// Swift's tasks a few downloads would stop all other requests.
final class StorageThreads: Sendable {
    /// All stores of the process share the threads.
    static let shared = StorageThreads(count: 8)

    typealias Job = @Sendable () -> Void

    private let queue = Mutex<(jobs: [Job], next: Int)>(([], 0))
    private let waiting = DispatchSemaphore(value: 0)

    /// Starts the threads, which run as long as the process.
    private init(count: Int) {
        for _ in 0..<count {
            let thread = Thread { [self] in work() }
            thread.name = "content"
            thread.start()
        }
    }

    /// Adds a job behind the others.
    func add(_ job: @escaping Job) {
        queue.withLock { $0.jobs.append(job) }
        waiting.signal()
    }

    private func work() {
        while true {
            waiting.wait()
            next()?()
        }
    }

    private func next() -> Job? {
        queue.withLock { queue in
            guard queue.next < queue.jobs.count else { return nil }
            let job = queue.jobs[queue.next]
            queue.next += 1
            // The jobs that were taken are removed when they are half of the
            // array, so that taking one seldom moves others.
            if queue.next * 2 >= queue.jobs.count {
                queue.jobs.removeFirst(queue.next)
                queue.next = 0
            }
            return job
        }
    }
}
