// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreCore

/// A moment of the time outside, in whole milliseconds since 1970: of sheets,
/// sessions, pauses after wrong passwords, certificates and retries.
///
/// The dates that customers and sellers see are of type ``StoreTime``.
package struct WallTime: Hashable, Comparable, Sendable, Codable {
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

    package static func < (left: WallTime, right: WallTime) -> Bool { left.milliseconds < right.milliseconds }

    /// The instant that is later by the whole milliseconds of a duration.
    package static func + (instant: WallTime, duration: Duration) -> WallTime {
        WallTime(milliseconds: instant.milliseconds + duration.milliseconds)
    }

    /// The instant that is earlier by the whole milliseconds of a duration.
    package static func - (instant: WallTime, duration: Duration) -> WallTime {
        WallTime(milliseconds: instant.milliseconds - duration.milliseconds)
    }
}
