// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import StoreCore

/// Lets the time of a session run with the system's, in steps of a tenth of a
/// second, while a ``SKTestSession/TimeRate`` shortens the periods of
/// subscriptions.
final class SessionTicker: @unchecked Sendable {
    // @unchecked because a lock protects the state.
    private let lock = NSLock()
    private var timer: (any DispatchSourceTimer)?
    private var last: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant
    private let tick: @Sendable (Duration) -> Void

    private static let step = DispatchTimeInterval.milliseconds(100)

    /// Makes a ticker that stands still. `tick` receives the time since the
    /// tick before, in whole milliseconds, on a thread of the ticker's own.
    init(
        now: @escaping @Sendable () -> ContinuousClock.Instant, _ tick: @escaping @Sendable (Duration) -> Void
    ) {
        self.now = now
        self.tick = tick
        last = now()
    }

    /// Starts the time, which stops when the ticker is released.
    func run() {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + Self.step, repeating: Self.step)
        timer.setEventHandler { [weak self] in self?.fire() }
        lock.withLock { self.timer = timer }
        timer.resume()
    }

    deinit {
        timer?.cancel()
    }

    private func fire() {
        let passed = lock.withLock {
            let passed = Duration.milliseconds((now() - last).milliseconds)
            last += passed
            return passed
        }
        if passed > .zero { tick(passed) }
    }
}
