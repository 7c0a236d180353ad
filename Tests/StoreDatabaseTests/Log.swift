// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Entries that closures add from other threads.
final class Log: Sendable {
    private let log = Mutex<[Int]>([])

    var entries: [Int] { log.withLock { $0 } }

    func add(_ entry: Int) { log.withLock { $0.append(entry) } }
}
