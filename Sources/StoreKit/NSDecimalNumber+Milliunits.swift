// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension NSDecimalNumber {
    /// A price from the thousandths that go over the wire, exact: binary
    /// fractions never come near it.
    convenience init(milliunits: Int64) {
        self.init(mantissa: milliunits.magnitude, exponent: -3, isNegative: milliunits < 0)
    }
}
