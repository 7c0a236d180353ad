// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService

/// The clock and the random source of storectl, which the
/// store takes as arguments (rules R4 and R12).
enum SystemDependencies {
    static var random: RandomSource { RandomSource(SystemRandomNumberGenerator()) }

    static let clock = StoreClock(
        now: { Instant(Date()) },
        sleep: { until in
            let milliseconds = until.milliseconds - Instant(Date()).milliseconds
            if milliseconds > 0 { try await Task.sleep(for: .milliseconds(milliseconds)) }
            try Task.checkCancellation()
        })
}
