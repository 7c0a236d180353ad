// SPDX-License-Identifier: Apache-2.0

/// The way in which the prices of storefronts without a price of their own follow from a base price.
package enum Pricing: Hashable, Sendable {
    /// Each currency has the same number, as in Xcode: products of configuration files.
    case sameNumber
    /// The base price is in USD, and the other currencies have the price points that correspond to it: products that are
    /// registered in Connect.
    case equalised
    /// The prices of an alternate tier, by its number.
    case tier(Int)

    /// The number in the database.
    var number: Int {
        switch self {
        case .sameNumber: 0
        case .equalised: 1
        case .tier(let number): number
        }
    }

    init(number: Int) {
        self = number == 0 ? .sameNumber : PriceTier.byNumber[number]?.isAlternate == true ? .tier(number) : .equalised
    }

    /// The word in configuration files: `equalised`, or the name of an alternate tier such as `Alt1`.
    var name: String {
        switch self {
        case .sameNumber: "same number"
        case .equalised: "equalised"
        case .tier(let number): PriceTier.byNumber[number]?.name ?? "equalised"
        }
    }

    init?(name: String) {
        if name == "equalised" {
            self = .equalised
        } else if let tier = PriceTier.all.first(where: { $0.isAlternate && $0.name == name }) {
            self = .tier(tier.number)
        } else {
            return nil
        }
    }

    /// The price that corresponds to a base price, as an amount that the currency has.
    func price(of base: Int64, in currency: String) -> Money {
        let corresponding =
            switch self {
            case .sameNumber: base
            case .equalised: Self.equalised(base, in: currency)
            // The price of an offer isn't the tier's.
            case .tier(let number):
                PriceTier.byNumber[number].flatMap { $0.milliunits == base ? $0.prices[currency] : nil }
                    ?? Self.equalised(base, in: currency)
            }
        return Money(milliunits: corresponding, currency: currency).rounded
    }

    /// The price of a tier, and between two tiers the price point that is nearest to the same share of the way between them.
    /// Above the highest point the price grows in proportion.
    private static func equalised(_ base: Int64, in currency: String) -> Int64 {
        guard base > 0, currency != "USD", let points = PriceTable.points[currency] else { return base }
        let above = ladder.firstIndex { $0.milliunits >= base } ?? ladder.count
        if above < ladder.count, ladder[above].milliunits == base { return ladder[above].prices[currency] ?? base }
        let (low, high) =
            above < ladder.count ? (ladder[above - 1], ladder[above]) : (ladder[0], ladder[ladder.count - 1])
        let (from, to) = (low.prices[currency] ?? 0, high.prices[currency] ?? 0)
        let share = Double(base - low.milliunits) / Double(high.milliunits - low.milliunits)
        let exact = Double(from) + share * Double(to - from)
        guard let last = points.last, exact <= Double(last) else { return Int64(min(exact, 1e15)) }
        return points.min { abs(Double($0) - exact) < abs(Double($1) - exact) } ?? base
    }

    /// The tiers 0 to 87, rising in USD.
    private static let ladder = PriceTier.all.filter { !$0.isAlternate }
}
