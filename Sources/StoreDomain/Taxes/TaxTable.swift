// SPDX-License-Identifier: Apache-2.0

/// The rates of the taxes that customers see beside a price, which the
/// operator gives. A country and category without a row has no tax line:
/// nothing is guessed.
package struct TaxTable: Hashable, Sendable {
    /// The rate of a tax, and whether prices have it in them.
    package struct Rate: Hashable, Sendable {
        /// Thousandths of a percent: 19 % is 19000.
        package var thousandths: Int64
        package var isIncluded: Bool
    }

    private struct Place: Hashable {
        var country: String
        /// `nil` for all products without a row of their own.
        var kind: Product.Kind?
    }

    /// The largest number of rows.
    package static let limit = 5000

    private var rates: [Place: Rate] = [:]

    /// A table without a row.
    package init() {}

    /// The rate for a product in a country; `nil` without a row.
    package func rate(of product: Product, in storefront: Storefront) -> Rate? {
        rates[Place(country: storefront.countryCode, kind: product.kind)]
            ?? rates[Place(country: storefront.countryCode, kind: nil)]
    }

    /// Reads a table: a line `country,category,rate,included` before the rows,
    /// such as `DEU,any,19,inclusive`. Empty lines and lines that begin with
    /// `#` are skipped.
    ///
    /// - Throws: ``DomainError`` `invalid` with the name of the file and the
    ///   number of the line.
    package init(reading text: String, file: String) throws {
        var hasHeader = false
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = String(line).trimmingWhitespace()
            if line.isEmpty || line.hasPrefix("#") { continue }
            do {
                if hasHeader {
                    try add(Self.fields(line))
                } else {
                    guard line == Self.header else { throw TaxLineError("the first line is \(Self.header)") }
                    hasHeader = true
                }
            } catch let error as TaxLineError {
                throw DomainError(.invalid, "\(file):\(index + 1): \(error.reason).")
            }
        }
        guard hasHeader else { throw DomainError(.invalid, "\(file):1: the first line is \(Self.header).") }
    }

    private static let header = "country,category,rate,included"

    /// The words of a file for the kinds of products.
    private static let kinds: [String: Product.Kind] = [
        "consumable": .consumable, "non-consumable": .nonConsumable, "non-renewing": .nonRenewing,
        "auto-renewable": .autoRenewable,
    ]

    private static func fields(_ line: String) -> [String] {
        line.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmingWhitespace() }
    }

    private mutating func add(_ fields: [String]) throws {
        guard fields.count == 4 else { throw TaxLineError("a row has 4 fields, \(Self.header), not \(fields.count)") }
        guard Storefront.named(fields[0]) != nil else {
            throw TaxLineError("there is no storefront \"\(fields[0].prefix(32))\": write three letters such as DEU")
        }
        let kind = Self.kinds[fields[1]]
        guard kind != nil || fields[1] == "any" else {
            let words = Self.kinds.keys.sorted().joined(separator: ", ")
            throw TaxLineError("the category isn't \"\(fields[1].prefix(32))\": it is any, \(words)")
        }
        guard let rate = try? Money.milliunits(of: fields[2]), (0...100_000).contains(rate) else {
            throw TaxLineError("the rate is a percentage from 0 to 100 with at most 3 decimals, such as 8.1")
        }
        guard ["inclusive", "exclusive"].contains(fields[3]) else {
            throw TaxLineError("the last field is inclusive or exclusive, not \"\(fields[3].prefix(32))\"")
        }
        let place = Place(country: fields[0], kind: kind)
        guard rates[place] == nil else { throw TaxLineError("\(fields[0]) has a row for \(fields[1]) already") }
        guard rates.count < Self.limit else { throw TaxLineError("a table has at most \(Self.limit) rows") }
        rates[place] = Rate(thousandths: rate, isIncluded: fields[3] == "inclusive")
    }
}

/// The reason why a line of a table can't be read.
private struct TaxLineError: Error {
    var reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension TaxTable.Rate {
    /// The part of a price that is tax, in hundredths of the currency; `nil`
    /// for a tax that the price doesn't have in it.
    package func part(of price: Money) -> Money? {
        guard isIncluded else { return nil }
        let whole = 100_000 + thousandths
        let (product, overflow) = price.milliunits.multipliedReportingOverflow(by: thousandths)
        guard !overflow, product >= 0 else { return nil }
        // Half a hundredth is rounded up.
        let hundredths = (product / 10 + whole / 2) / whole
        return Money(milliunits: hundredths * 10, currency: price.currency)
    }
}
