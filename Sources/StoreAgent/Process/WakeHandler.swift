// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Forwards a wake-up by another process to the delivery loop, the
/// synchronizer and the watch for a daemon.
///
/// The wake-up pipe is created before these, so they are set later.
/// Earlier wake-ups are ignored.
final class WakeHandler: Sendable {
    private let parts = Mutex<(delivery: Delivery, signals: PendingSignals, watch: DaemonWatch)?>(nil)

    func take(_ delivery: Delivery, _ signals: PendingSignals, _ watch: DaemonWatch) {
        parts.withLock { $0 = (delivery, signals, watch) }
    }

    func look() {
        guard let (delivery, signals, watch) = parts.withLock({ $0 }) else { return }
        delivery.look()
        signals.wake()
        watch.wake()
    }
}
