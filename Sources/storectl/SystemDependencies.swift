// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService

/// The clock, the random source and the fault points of storectl, which the
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

    /// A fault point that ends the process at the place in
    /// `OPENSTOREKIT_CRASH_AT`, in debug builds.
    static func faults(_ environment: [String: String]) -> FaultHandler {
        #if DEBUG
        guard let wanted = environment["OPENSTOREKIT_CRASH_AT"], !wanted.isEmpty else { return { _ in } }
        let place = wanted.contains(":") ? wanted : "\(wanted):before"
        return { reached in
            if reached == place { kill(getpid(), SIGKILL) }
        }
        #else
        return { _ in }
        #endif
    }
}
