// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// The growing pauses between repeated attempts.
///
/// The pause doubles from half a second to half a minute. Each is shortened
/// at random by up to a half, so that devices that lost the same store don't
/// repeat at the same moment. A pause that the store asked for is never
/// shortened: it is lengthened at random by up to a half.
struct Backoff: Sendable {
    private static let first = 500
    private static let longest = 30_000
    /// The longest pause that a store can ask for, before it is lengthened. A
    /// wrong value, for example of a proxy, must not stop purchases for a day.
    private static let longestAsked = 120_000

    private let random: AgentRandom
    private var milliseconds = first
    private var asked: Int?

    init(_ random: AgentRandom) {
        self.random = random
    }

    /// Whether the store asked for a pause, which ``next()`` hasn't returned
    /// yet.
    var isAsked: Bool { asked != nil }

    /// Makes the next pause as long as the store asks for, if the error is a
    /// refusal that says how long to wait (`Retry-After`).
    mutating func heed(_ error: any Error) {
        guard let seconds = (error as? StoreFailure)?.retryAfter, seconds > 0 else { return }
        asked = min(seconds, Self.longestAsked / 1_000) * 1_000
    }

    /// Returns the next pause.
    mutating func next() -> Duration {
        var pause = Double(milliseconds) * (1 - random.fraction() / 2)
        if let asked { pause = max(pause, Double(asked) * (1 + random.fraction() / 2)) }
        asked = nil
        milliseconds = min(milliseconds * 2, Self.longest)
        return .milliseconds(Int64(pause))
    }

    /// Starts again with the shortest pause, after a success.
    mutating func reset() {
        milliseconds = Self.first
    }
}
