// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreCore

/// A moment, in whole milliseconds since 1970: the precision that the
/// database, the receipts and the wire share.
package struct Instant: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since 1970; negative before.
    package var milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Rounds down to the millisecond.
    package init(_ date: Date) {
        milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down))
    }

    package var date: Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    package static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// The instant that is later by the whole milliseconds of a duration.
    package static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(milliseconds: instant.milliseconds + duration.milliseconds)
    }

    /// The instant that is earlier by the whole milliseconds of a duration.
    package static func - (instant: Instant, duration: Duration) -> Instant {
        Instant(milliseconds: instant.milliseconds - duration.milliseconds)
    }
}
