// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreTestSupport

/// An action of a subscriber to whom offers are made, and whose prices change.
enum OfferAction: Sendable {
    /// A flaw for which the store must refuse a signed offer.
    enum Flaw: Sendable {
        case otherOffer, otherKey, usedNonce
    }

    /// An action that needs no offer. One that buys may get an introductory
    /// offer.
    case plain(SubscriberAction)
    case promotional(String, offer: String, Flaw?)
    case winBack(String)
    /// Redeems the code with a number.
    case redeem(Int)
    /// Three other customers redeem the same word at the same time.
    case othersRedeem
    /// The seller sets a price now, or a minute before it applies.
    case price(ExpectedCatalogue.Change, isScheduled: Bool)
    /// Answers to a higher price. A `place` chooses a subscription.
    case answer(Bool, place: Int)

    private static let promotions = [
        ("small", "spring"), ("small", "gift"), ("large", "spring"), ("weekly", "gift"), ("paper", "spring"),
    ]
    private static let prices: [(String, [Int64])] = [
        ("small", [3990, 4990, 5990, 12_990, 14_990]), ("large", [8990, 9990, 10_990, 24_990]),
        ("weekly", [1290, 1490, 1990, 7990]), ("paper", [2490, 2990, 3990, 9990]),
    ]

    static func random(using generator: inout SeededGenerator) -> OfferAction {
        let place = Int.random(in: 0..<100, using: &generator)
        let yes = Bool.random(using: &generator)
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<24: return .plain(.random(using: &generator))
        case 24..<42: return .plain(.advance(seconds: SubscriberAction.length(using: &generator)))
        case 42..<52:
            let plans = OfferedBaskets.plans
            return .plain(.buy(plans[Int.random(in: 0..<plans.count, using: &generator)].product))
        case 52..<63:
            let (product, offer) = promotions[place % promotions.count]
            let flaws: [Flaw?] = [nil, nil, nil, .otherOffer, .otherKey, .usedNonce]
            return .promotional(product, offer: offer, flaws[Int.random(in: 0..<flaws.count, using: &generator)])
        case 63..<68: return .winBack(yes ? "small" : "paper")
        case 68..<80: return .redeem(place % OfferedBaskets.codes)
        case 80..<82: return .othersRedeem
        case 82..<91: return price(using: &generator)
        default: return .answer(yes || place < 30, place: place)
        }
    }

    private static func price(using generator: inout SeededGenerator) -> OfferAction {
        let (product, amounts) = prices[Int.random(in: 0..<prices.count, using: &generator)]
        let place = Int.random(in: 0..<100, using: &generator)
        let isOwn = place < 20
        let consents: [PriceChange.Consent] = isOwn ? [.needed, .told] : [.needed, .needed, .told, .rule]
        return .price(
            ExpectedCatalogue.Change(
                product: product, price: amounts[Int.random(in: 0..<amounts.count, using: &generator)],
                country: isOwn ? "DEU" : nil, subscribers: place % 4 == 0 ? .keep : .change,
                consent: consents[place % consents.count]),
            isScheduled: place % 3 == 0)
    }

    /// Beginnings that make sure that each kind of offer and price occurs: the
    /// actions after them are random.
    static let openings: [[OfferAction]] = [
        // A free week, once.
        [
            .plain(.buy("small")), days(60), .plain(.setRenewal(false, place: 0)), days(40), .plain(.buy("small")),
            days(20),
        ],
        // Three cheap months, then a higher price without an answer.
        [.plain(.buy("large")), days(100), rise("large", 24_990), days(70)],
        // A higher price that is agreed to.
        [.plain(.buy("weekly")), days(10), rise("weekly", 7990), .answer(true, place: 0), days(30)],
        // A higher price that is refused.
        [.plain(.buy("weekly")), days(10), rise("weekly", 7990), .answer(false, place: 0), days(30)],
        // A price that is kept.
        [.plain(.buy("weekly")), days(10), rise("weekly", 7990, .keep), days(30)],
        // A former subscriber comes back.
        [
            .winBack("small"), .plain(.buy("small")), .winBack("small"), .plain(.setRenewal(false, place: 0)), days(60),
            .winBack("small"), days(90),
        ],
        // Codes of a new customer and of a present one.
        [.redeem(2), .redeem(2), .redeem(3), days(10), .redeem(1), days(120)],
        // A code that follows the introductory offer.
        [.redeem(6), days(10), days(120)],
        // A word that others have used up.
        [.othersRedeem, .redeem(0), .redeem(4), days(60)],
        // A promo code, and signed offers.
        [
            .promotional("small", offer: "spring", nil), .redeem(8), days(20),
            .promotional("small", offer: "spring", .otherOffer), .promotional("small", offer: "spring", .otherKey),
            .promotional("small", offer: "spring", .usedNonce), .promotional("small", offer: "spring", nil), days(100),
            .promotional("small", offer: "gift", nil), days(60),
        ],
    ]

    /// The kinds of ``ExpectedPrices/kinds`` that the openings lead to.
    static let kinds: Set<String> = [
        "introductory", "no consent", "increase", "refused increase", "kept price", "winBack", "code",
        "code for the next period", "code after introduction", "promotional", "promotional for the next period",
        "refused code", "refused signature", "refused offer",
    ]

    private static func days(_ count: Int64) -> OfferAction { .plain(.advance(seconds: count * 86_400)) }

    private static func rise(
        _ product: String, _ price: Int64, _ subscribers: PriceChange.Subscribers = .change
    ) -> OfferAction {
        .price(
            ExpectedCatalogue.Change(product: product, price: price, subscribers: subscribers, consent: .needed),
            isScheduled: false)
    }
}
