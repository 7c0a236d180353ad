// SPDX-License-Identifier: Apache-2.0

/// A row of the App Store's table of prices, with which sellers set the price of a product in all storefronts.
package struct PriceTier: Hashable, Sendable {
    /// 0 (free) and 1 to 87, and those of the old App Store Connect API for its seven alternate tiers: 510 (A), 530 (B), and
    /// 550 to 590 (Alternate Tier 1 to 5).
    package var number: Int
    /// `0` to `87`, `A`, `B`, `Alt1` to `Alt5`.
    package var name: String
    /// The prices in thousandths, by currency.
    package var prices: [String: Int64]

    /// The price in USD.
    package var milliunits: Int64 { prices["USD"] ?? 0 }

    /// Whether another tier has the same price in USD and other ones elsewhere.
    package var isAlternate: Bool { number >= 510 }

    /// All tiers, those with numbers to 87 first.
    package static let all = PriceTable.tiers

    /// The tier with a number.
    package static func numbered(_ number: String) -> PriceTier? {
        Int(number).flatMap { byNumber[$0] }
    }

    /// The tier of a product's base price; `nil` for a product whose prices aren't those of a tier.
    package static func of(_ product: Product) -> PriceTier? {
        switch product.pricing {
        case .sameNumber: nil
        case .equalised: all.first { $0.milliunits == product.milliunits }
        case .tier(let number): byNumber[number].flatMap { $0.milliunits == product.milliunits ? $0 : nil }
        }
    }

    static let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })
}

extension Product {
    /// The prices of single storefronts, one a line: `DEU 1.19`.
    package var ownPrices: String {
        prices.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.decimal(in: $0.key))" }.joined(separator: "\n")
    }

    /// Sets the base price, and those of all storefronts without a price of their own, to a tier's.
    mutating func set(_ tier: PriceTier) {
        milliunits = tier.milliunits
        pricing = tier.isAlternate ? .tier(tier.number) : .equalised
    }

    /// Sets the base price. The price of an alternate tier becomes the number that it has in USD, and its points elsewhere.
    mutating func setBase(_ milliunits: Int64) {
        if self.milliunits != milliunits, pricing != .sameNumber { pricing = .equalised }
        self.milliunits = milliunits
    }
}
