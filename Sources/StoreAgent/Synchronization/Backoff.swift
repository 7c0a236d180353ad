// SPDX-License-Identifier: Apache-2.0

/// The growing pauses between repeated attempts.
///
/// The pause doubles from half a second to half a minute. Each is shortened
/// at random by up to a half, so that devices that lost the same store don't
/// repeat at the same moment.
struct Backoff: Sendable {
    private static let first = 500
    private static let longest = 30_000

    private let random: AgentRandom
    private var milliseconds = first

    init(_ random: AgentRandom) {
        self.random = random
    }

    /// Returns the next pause.
    mutating func next() -> Duration {
        let pause = Double(milliseconds) * (1 - random.fraction() / 2)
        milliseconds = min(milliseconds * 2, Self.longest)
        return .milliseconds(Int64(pause))
    }

    /// Starts again with the shortest pause, after a success.
    mutating func reset() {
        milliseconds = Self.first
    }
}
