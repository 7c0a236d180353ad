// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain

/// The value of `serve --propagation-delay`.
struct PropagationDelay: Sendable {
    var duration: Duration

    /// Reads a number of seconds.
    ///
    /// - Throws: `ValidationError` for anything but 0 to a day.
    static func parse(_ text: String) throws -> PropagationDelay {
        guard let seconds = Int(text), (0...Propagation.longestSeconds).contains(seconds) else {
            throw ValidationError("A propagation delay is 0 to \(Propagation.longestSeconds) seconds, not \"\(text)\".")
        }
        return PropagationDelay(duration: .seconds(seconds))
    }
}
