// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Sources written for Apple's StoreKit use a little of Foundation that there
// isn't on Linux. What is needed for prices and periods is here.

#if !canImport(Darwin)
extension NumberFormatter {
    /// How a formatter behaves; Apple's sample code asks for `behavior10_4`,
    /// and Foundation on Linux has no other.
    public enum Behavior: UInt, Sendable {
        /// The newest.
        case `default` = 0
        /// That of Mac OS X 10.0.
        case behavior10_0 = 1000
        /// That of Mac OS X 10.4, which all formatters have.
        case behavior10_4 = 1040
    }

    /// Always ``Behavior/behavior10_4``; setting it changes nothing.
    public var formatterBehavior: Behavior {
        get { .behavior10_4 }
        set {}
    }
}
#endif
