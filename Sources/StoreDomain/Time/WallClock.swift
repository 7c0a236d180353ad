// SPDX-License-Identifier: Apache-2.0

/// The store's source of wall time.
package struct WallClock: Sendable {
    package var now: @Sendable () -> WallTime
    /// Sleeps until a moment, or until the task is cancelled.
    package var sleep: @Sendable (_ until: WallTime) async throws -> Void

    package init(
        now: @escaping @Sendable () -> WallTime, sleep: @escaping @Sendable (_ until: WallTime) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }
}
