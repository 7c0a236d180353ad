// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Entries that closures add from other threads.
package final class Log: Sendable {
    private let log = Mutex<[Int]>([])

    package init() {}

    package var entries: [Int] { log.withLock { $0 } }
    package var sum: Int { entries.reduce(0, +) }

    /// Adds an entry; returns the sum.
    @discardableResult
    package func add(_ entry: Int) -> Int {
        log.withLock { log in
            log.append(entry)
            return log.reduce(0, +)
        }
    }
}
