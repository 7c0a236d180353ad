// SPDX-License-Identifier: Apache-2.0

/// An amount of money, in thousandths of its currency's unit.
package struct Money: Hashable, Sendable {
    package var milliunits: Int64
    /// ISO 4217.
    package var currency: String

    package init(milliunits: Int64, currency: String) {
        self.milliunits = milliunits
        self.currency = currency
    }

    /// The amount times a quantity; `nil` when it overflows.
    package func times(_ quantity: Int) -> Money? {
        let (product, overflow) = milliunits.multipliedReportingOverflow(by: Int64(quantity))
        return overflow ? nil : Money(milliunits: product, currency: currency)
    }

    /// Reads a decimal such as `0.99` into thousandths, exactly; `nil` when
    /// it isn't one, is negative, is more precise than a thousandth, or is
    /// too large.
    package static func milliunits(_ decimal: String) -> Int64? {
        let parts = decimal.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 1 || parts.count == 2, let whole = parts.first, !whole.isEmpty, whole.utf8.count <= 12
        else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        if parts.count == 2, fraction.isEmpty { return nil }
        // Xcode writes at most two decimals; decimals beyond the third must
        // be zero.
        let significant = fraction.prefix(3)
        guard fraction.dropFirst(3).allSatisfy({ $0 == "0" }),
            (whole + fraction).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let units = Int64(whole),
            let thousandths = Int64(significant + String(repeating: "0", count: 3 - significant.count))
        else { return nil }
        return units * 1000 + thousandths
    }

    /// The amount as a plain decimal, without trailing zeros beyond cents
    /// (`0.99`, `10.00`, `0.125`).
    package var decimal: String {
        let (units, thousandths) = milliunits.quotientAndRemainder(dividingBy: 1000)
        let padded = String(abs(thousandths) + 1000).dropFirst()
        let digits = padded.hasSuffix("0") ? padded.dropLast() : padded
        return "\(milliunits < 0 && units == 0 ? "-" : "")\(units).\(digits)"
    }
}
