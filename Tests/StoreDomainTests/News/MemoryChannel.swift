// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import Synchronization

/// The channels of two processes in memory. A test says when texts are
/// carried.
final class MemoryChannel: NotificationChannel {
    private struct Ends: Sendable {
        var next: @Sendable () -> String?
        var received: @Sendable (String) -> Void
    }

    private let ends = Mutex<Ends?>(nil)

    func open(next: @escaping @Sendable () -> String?, received: @escaping @Sendable (String) -> Void) {
        ends.withLock { $0 = Ends(next: next, received: received) }
    }

    func wake() {}

    func close() {}

    /// Carries the waiting texts to another process, and returns them.
    func carry(to other: MemoryChannel) -> [String] {
        var texts: [String] = []
        while let text = ends.withLock({ $0 })?.next() {
            texts.append(text)
            other.ends.withLock { $0 }?.received(text)
        }
        return texts
    }
}
