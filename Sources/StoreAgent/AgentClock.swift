// SPDX-License-Identifier: Apache-2.0

/// The time, and a way to wait, as the agent is given them.
///
/// The agent never asks the system for either, so that a test moves time by
/// hand.
package struct AgentClock: Sendable {
    private let time: @Sendable () -> Int64
    private let pause: @Sendable (Duration) async throws -> Void

    /// Makes a clock from a source of milliseconds since 1970 and a way to wait.
    package init(
        now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        time = now
        pause = sleep
    }

    /// Milliseconds since 1970.
    package var now: Int64 { time() }

    /// Returns after the duration has passed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    package func sleep(for duration: Duration) async throws {
        try await pause(duration)
    }
}
