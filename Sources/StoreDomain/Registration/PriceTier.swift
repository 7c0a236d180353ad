// SPDX-License-Identifier: Apache-2.0

/// A price of the store's table, with which sellers set the prices of a product
/// in all storefronts.
package struct PriceTier: Hashable, Sendable {
    package var number: Int
    /// The price in thousandths, in USD and EUR. Storefronts with another
    /// currency use the same number, unless ``prices`` has one.
    package var milliunits: Int64
    /// The prices of single storefronts, by country code, in thousandths.
    package var prices: [String: Int64]

    /// All tiers, by number. Tier 0 is free.
    package static let all = table.split(separator: "\n").compactMap(PriceTier.init(line:))

    /// Reads a line of the table.
    private init?(line: Substring) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 4, let number = Int(words[0]), let base = try? Money.milliunits(of: words[1]),
            let pounds = try? Money.milliunits(of: words[2]), let yen = try? Money.milliunits(of: words[3])
        else { return nil }
        self.number = number
        milliunits = base
        prices = ["GBR": pounds, "JPN": yen]
    }

    /// The tier with a number.
    package static func numbered(_ number: String) -> PriceTier? {
        Int(number).flatMap { number in all.first { $0.number == number } }
    }

    /// The tier of a product's base price; `nil` for a product that lacks a
    /// price of the tier's storefronts, because setting the tier would change
    /// its price there.
    package static func of(_ product: Product) -> PriceTier? {
        all.first { tier in
            tier.milliunits == product.milliunits && tier.prices.keys.allSatisfy { product.prices[$0] != nil }
        }
    }
}

extension Product {
    /// The prices of single storefronts that aren't the tier's, one a line:
    /// `DEU 1.19`.
    var pricesBesideTier: String {
        let ofTier = PriceTier.of(self)?.prices ?? [:]
        return prices.filter { ofTier[$0.key] != $0.value }.sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value.decimal)" }.joined(separator: "\n")
    }
}
