// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What a process does when another one wakes it: it looks whether there is
/// something to deliver, or to send.
///
/// The pipe that wakes it has to be there before they are.
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
