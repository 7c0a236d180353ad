// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSDecimalNumber {
    /// Makes an exact price from the thousandths in the store's messages,
    /// without binary fractions.
    convenience init(milliunits: Int64) {
        self.init(mantissa: milliunits.magnitude, exponent: -3, isNegative: milliunits < 0)
    }
}
