// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Carries the announcements of commits to the nodes of a store, which wake
/// their event streams.
///
/// A bus may lose, delay, repeat and reorder announcements. Each node reads
/// the newest numbers from the database every few seconds
/// (``ReadingNewestNumbers``), so that a lost announcement delays an event and
/// never loses it.
package protocol NewsBus: Sendable {
    /// Passes on the announcements of a commit. It returns without waiting
    /// for other nodes.
    func publish(_ announcements: [Announcement])

    /// Adds a receiver of the announcements of all nodes, this one included.
    /// The receiver returns without waiting.
    func subscribe(_ receiver: @escaping @Sendable ([Announcement]) -> Void)
}

/// The bus of a store that one process serves.
package final class LocalNewsBus: NewsBus {
    private let receivers = Mutex<[@Sendable ([Announcement]) -> Void]>([])

    package init() {}

    package func publish(_ announcements: [Announcement]) {
        for receive in receivers.withLock({ $0 }) { receive(announcements) }
    }

    package func subscribe(_ receiver: @escaping @Sendable ([Announcement]) -> Void) {
        receivers.withLock { $0.append(receiver) }
    }
}
