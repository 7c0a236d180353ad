// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Synchronization

/// A bus that loses every announcement, and counts them.
final class LossyBus: NewsBus {
    private let lost = Mutex<[Announcement]>([])

    var announcements: [Announcement] { lost.withLock { $0 } }

    func publish(_ announcements: [Announcement]) { lost.withLock { $0 += announcements } }

    func subscribe(_ receiver: @escaping @Sendable ([Announcement]) -> Void) {}
}
