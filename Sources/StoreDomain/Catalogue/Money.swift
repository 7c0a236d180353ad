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

    /// The number of decimals of the currency's amounts, as Apple's price points have them: the App Store has no decimals in
    /// seven currencies, two in the others.
    private var decimals: Int { Self.withoutDecimals.contains(currency) ? 0 : 2 }
    static let withoutDecimals: Set = ["CLP", "HUF", "IDR", "JPY", "KRW", "TWD", "VND"]

    /// The thousandths between two amounts of the currency.
    private var step: Int64 { decimals == 0 ? 1000 : 10 }

    /// Whether the currency has the amount.
    package var isWhole: Bool { milliunits % step == 0 }

    /// The nearest amount of the currency; one that isn't 0 doesn't become 0.
    package var rounded: Money {
        guard !isWhole else { return self }
        let (steps, rest) = abs(milliunits).quotientAndRemainder(dividingBy: step)
        let nearest = max(1, steps + (2 * rest >= step ? 1 : 0)) * step
        return Money(milliunits: milliunits < 0 ? -nearest : nearest, currency: currency)
    }

    /// The greatest amount of the currency that isn't more, of a share from 0 to 1.
    func share(_ share: Double) -> Money {
        let steps = (Double(milliunits) * share / Double(step)).rounded(.down)
        return Money(milliunits: Int64(steps) * step, currency: currency)
    }

    /// Why a text is no price.
    package enum DecimalError: Error, Equatable {
        /// It isn't a decimal, such as `0.99`.
        case malformed
        /// It is below zero.
        case negative
        /// It has more decimals than thousandths.
        case tooPrecise
        /// Its whole part has more than twelve digits.
        case tooLarge
        /// The currency has no such amount.
        case noAmount(currency: String)
    }

    /// Reads a decimal as an amount of a currency.
    ///
    /// - Throws: ``DecimalError``, also for an amount that the currency doesn't have: `0.99` of JPY.
    package static func milliunits(of decimal: String, in currency: String) throws(DecimalError) -> Int64 {
        let amount = Money(milliunits: try milliunits(of: decimal), currency: currency)
        guard amount.isWhole else { throw .noAmount(currency: currency) }
        return amount.milliunits
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

    /// The amount as a plain decimal with the decimals of its currency (`0.99`, `10.00`, `160` of JPY), and all that it has of
    /// an amount that the currency doesn't have (`0.125`).
    package var decimal: String {
        let (units, thousandths) = milliunits.quotientAndRemainder(dividingBy: 1000)
        if decimals == 0, thousandths == 0 { return "\(units)" }
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
        case .noAmount(let currency): "is no amount of \(currency), which has fewer decimals"
        }
    }
}
