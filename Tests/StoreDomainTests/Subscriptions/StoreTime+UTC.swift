// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

extension StoreTime {
    /// Reads a time of whole seconds, such as `2019-10-23 05:29:52`, in UTC.
    init(utc text: String) throws {
        let date = try Date(text.replacing(" ", with: "T") + "Z", strategy: .iso8601)
        self.init(milliseconds: Int64(date.timeIntervalSince1970.rounded()) * 1000)
    }
}

extension SubscriptionPeriod {
    static let week = SubscriptionPeriod(1, .week)
    static let month = SubscriptionPeriod(1, .month)
    static let year = SubscriptionPeriod(1, .year)
}
