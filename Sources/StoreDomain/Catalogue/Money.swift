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

    /// Why a text is no price.
    package enum DecimalError: Error {
        /// It isn't a decimal, such as `0.99`.
        case malformed
        /// It is below zero.
        case negative
        /// It has more decimals than thousandths.
        case tooPrecise
        /// Its whole part has more than twelve digits.
        case tooLarge
    }

    /// Reads a decimal such as `0.99` into thousandths, exactly.
    ///
    /// - Throws: ``DecimalError``.
    package static func milliunits(of decimal: String) throws(DecimalError) -> Int64 {
        if decimal.first == "-", decimal.dropFirst().first != "-",
            (try? milliunits(of: String(decimal.dropFirst()))) != nil
        {
            throw .negative
        }
        let parts = decimal.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard digits, let whole = parts.first, parts.count <= 2 else { throw .malformed }
        guard whole.utf8.count <= 12, let units = Int64(whole) else { throw .tooLarge }
        let fraction = parts.count == 2 ? parts[1] : ""
        // Xcode writes at most two decimals; decimals beyond the third must
        // be zero.
        let significant = fraction.prefix(3)
        let padding = String(repeating: "0", count: 3 - significant.count)
        guard fraction.dropFirst(3).allSatisfy({ $0 == "0" }), let thousandths = Int64(significant + padding) else {
            throw .tooPrecise
        }
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

extension Money.DecimalError: CustomStringConvertible {
    /// The reason, to follow the text that isn't a price.
    package var description: String {
        switch self {
        case .malformed: "is no decimal such as 0.99"
        case .negative: "is less than 0"
        case .tooPrecise: "has more than three decimals"
        case .tooLarge: "is more than 999999999999.999"
        }
    }
}
