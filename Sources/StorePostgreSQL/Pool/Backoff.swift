// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Pauses that grow and differ, so that those who failed together don't try
/// again together.
final class Backoff: Sendable {
    private let random: Mutex<any RandomNumberGenerator & Sendable>

    init(_ random: some RandomNumberGenerator & Sendable) {
        self.random = Mutex(random)
    }

    /// The pause before the attempt after so many, between half of what has
    /// doubled each time and all of it.
    func pause(after attempts: Int, first: Duration, longest: Duration) -> Duration {
        let doubled = first * (1 << min(max(attempts - 1, 0), 20))
        let whole = Swift.min(doubled, longest)
        return whole * random.withLock { Double.random(in: 0.5...1, using: &$0) }
    }
}
