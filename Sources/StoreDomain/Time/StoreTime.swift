// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A moment of the time that customers and sellers see: the dates of
/// purchases, revocations, ledger entries, receipts and messages. In whole
/// milliseconds since 1970.
///
/// In the sandbox an account's time can differ from the wall's. It comes from
/// ``Account/time(at:)``.
package struct StoreTime: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970; negative before.
    package var milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package var date: Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    package static func < (left: StoreTime, right: StoreTime) -> Bool { left.milliseconds < right.milliseconds }
}
