// SPDX-License-Identifier: Apache-2.0

/// Growing pauses between attempts: doubled from half a second to half a
/// minute, each shortened by up to a half at random so that devices that lost
/// the same store don't come back at the same moment.
struct Backoff: Sendable {
    private static let first = 500
    private static let longest = 30_000

    private let random: AgentRandom
    private var milliseconds = first

    init(_ random: AgentRandom) {
        self.random = random
    }

    /// The next pause.
    mutating func next() -> Duration {
        let pause = Double(milliseconds) * (1 - random.fraction() / 2)
        milliseconds = min(milliseconds * 2, Self.longest)
        return .milliseconds(Int64(pause))
    }

    /// Begins anew, after something has worked.
    mutating func reset() {
        milliseconds = Self.first
    }
}
