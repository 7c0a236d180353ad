// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Threads that only hash passwords.
///
/// They aren't Dispatch's threads, which also run Swift's tasks: password
/// hashes on all of those would delay every request.
final class HashingThreads: Sendable {
    typealias Job = @Sendable () -> Void

    private struct Queue {
        var preferred: [Job] = []
        var others: [Job] = []
    }

    private let queue = Mutex(Queue())
    private let jobs = DispatchSemaphore(value: 0)

    /// Starts the threads, which run as long as the process.
    init(count: Int) {
        for _ in 0..<max(1, count) {
            let thread = Thread { [self] in work() }
            thread.name = "passwords"
            thread.start()
        }
    }

    /// Adds a job behind those of its kind. Preferred jobs run before others.
    func add(isPreferred: Bool, _ job: @escaping Job) {
        queue.withLock { queue in
            if isPreferred { queue.preferred.append(job) } else { queue.others.append(job) }
        }
        jobs.signal()
    }

    private func work() {
        while true {
            jobs.wait()
            let job = queue.withLock { queue -> Job? in
                if !queue.preferred.isEmpty { return queue.preferred.removeFirst() }
                return queue.others.isEmpty ? nil : queue.others.removeFirst()
            }
            job?()
        }
    }
}
