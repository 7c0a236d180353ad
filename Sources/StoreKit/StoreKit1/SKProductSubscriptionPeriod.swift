// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A length of time: a number of days, weeks, months or years.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; it stores nothing.

    /// How many units.
    open var numberOfUnits: Int { 0 }
    /// The unit that is counted.
    open var unit: SKProduct.PeriodUnit { .day }

    /// An empty period, for test doubles to derive from.
    public override init() {
        super.init()
    }
}
