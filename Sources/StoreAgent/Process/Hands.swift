// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Forwards a wake-up by another process to the delivery loop and the
/// synchronizer.
///
/// The wake-up pipe is created before these two, so they are set later.
/// Earlier wake-ups are ignored.
final class Hands: Sendable {
    private let parts = Mutex<(delivery: Delivery, inbox: Inbox)?>(nil)

    func take(_ delivery: Delivery, _ inbox: Inbox) {
        parts.withLock { $0 = (delivery, inbox) }
    }

    func look() {
        guard let (delivery, inbox) = parts.withLock({ $0 }) else { return }
        delivery.look()
        inbox.ring()
    }
}
