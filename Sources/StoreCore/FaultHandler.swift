// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A function that is called with `step:before` and `step:after` around the
/// steps of a purchase, so that a test can end the process there. Does
/// nothing by default.
package typealias FaultHandler = @Sendable (_ place: String) -> Void

/// The place at which a test ends this process.
package enum CrashPoint {
    /// A handler that kills the process at the place that
    /// `OPENSTOREKIT_CRASH_AT` names: `step`, `step:before` or `step:after`.
    /// It does nothing in a release build.
    package static func handler(_ environment: [String: String]) -> FaultHandler {
        #if DEBUG
        guard let name = environment["OPENSTOREKIT_CRASH_AT"], !name.isEmpty else { return { _ in } }
        let wanted = name.contains(":") ? name : "\(name):before"
        return { place in
            if place == wanted { kill(getpid(), SIGKILL) }
        }
        #else
        return { _ in }
        #endif
    }
}
