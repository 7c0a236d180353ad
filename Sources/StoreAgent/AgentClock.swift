// SPDX-License-Identifier: Apache-2.0

/// The agent's source of time and of waiting.
///
/// A test controls the time with it. Only the HTTP connection's deadlines and
/// the delays of a ``WorkQueue`` don't use it.
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
