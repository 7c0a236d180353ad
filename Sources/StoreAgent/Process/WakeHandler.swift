// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Forwards a wake-up by another process to the delivery loop and the
/// synchronizer.
///
/// The wake-up pipe is created before these two, so they are set later.
/// Earlier wake-ups are ignored.
final class WakeHandler: Sendable {
    private let parts = Mutex<(delivery: Delivery, signals: PendingSignals)?>(nil)

    func take(_ delivery: Delivery, _ signals: PendingSignals) {
        parts.withLock { $0 = (delivery, signals) }
    }

    func look() {
        guard let (delivery, signals) = parts.withLock({ $0 }) else { return }
        delivery.look()
        signals.wake()
    }
}
