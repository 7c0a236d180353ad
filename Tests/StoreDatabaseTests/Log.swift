// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What happened, told by closures that run elsewhere.
final class Log: Sendable {
    private let log = Mutex<[Int]>([])

    var entries: [Int] { log.withLock { $0 } }

    func add(_ entry: Int) { log.withLock { $0.append(entry) } }
}
