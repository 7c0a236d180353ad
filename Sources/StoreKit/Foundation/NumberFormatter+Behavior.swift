// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Sources written for Apple's StoreKit use parts of Foundation that are
// missing on Linux. The parts for prices and periods are declared here.

#if !canImport(Darwin)
extension NumberFormatter {
    /// The behavior of a formatter. Apple's sample code uses `behavior10_4`,
    /// and Foundation on Linux has no other.
    public enum Behavior: UInt, Sendable {
        /// The newest behavior.
        case `default` = 0
        /// The behavior of Mac OS X 10.0.
        case behavior10_0 = 1000
        /// The behavior of Mac OS X 10.4, which all formatters have.
        case behavior10_4 = 1040
    }

    /// Always ``Behavior/behavior10_4``; setting it changes nothing.
    public var formatterBehavior: Behavior {
        get { .behavior10_4 }
        set {}
    }
}
#endif
