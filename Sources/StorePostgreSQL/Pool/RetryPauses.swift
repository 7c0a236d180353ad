// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Growing, randomized pauses, so that jobs that failed at the same time do
/// not repeat at the same time.
final class RetryPauses: Sendable {
    private let random: Mutex<any RandomNumberGenerator & Sendable>

    init(_ random: some RandomNumberGenerator & Sendable) {
        self.random = Mutex(random)
    }

    /// The pause after a number of attempts: `first`, doubled for each further
    /// attempt up to `longest`, times a random factor between 0.5 and 1.
    func pause(after attempts: Int, first: Duration, longest: Duration) -> Duration {
        let doubled = first * (1 << min(max(attempts - 1, 0), 20))
        let whole = Swift.min(doubled, longest)
        return whole * random.withLock { Double.random(in: 0.5...1, using: &$0) }
    }
}
