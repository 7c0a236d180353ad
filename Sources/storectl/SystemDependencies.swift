// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreDomain

/// The clock and the random source of storectl, which the
/// store takes as arguments (rule R4).
enum SystemDependencies {
    static var random: RandomSource { RandomSource(SystemRandomNumberGenerator()) }

    /// The clock of a device that a command works on.
    static let deviceClock = AgentClock(
        now: { WallTime(Date()).milliseconds }, sleep: { try await Task.sleep(for: $0) })

    static let clock = WallClock(
        now: { WallTime(Date()) },
        sleep: { until in
            let milliseconds = until.milliseconds - WallTime(Date()).milliseconds
            if milliseconds > 0 { try await Task.sleep(for: .milliseconds(milliseconds)) }
            try Task.checkCancellation()
        })
}
