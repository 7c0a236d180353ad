// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreTestSupport

/// The products of the property test of offers, with the prices and offers
/// that the test expects. The store imports them from a file.
enum OfferedBaskets {
    /// An offer of a product.
    struct Offer: Hashable, Sendable {
        var kind: Product.Offer.Kind
        var name = ""
        var mode: Product.Offer.PaymentMode
        var period: String
        var periods = 1
        /// In thousandths of each currency.
        var price: Int64 = 0
        /// The customers of a code, in the words of a file.
        var customers: [String] = []
        /// Whether a code follows the introductory offer.
        var isStackable = false
    }

    struct Plan: Hashable, Sendable {
        var product: String
        var price: Int64
        var period: String
        var level: Int
        var group: String
        var offers: [Offer] = []
    }

    private static let all = ["new", "existing", "expired"]

    static let plans = [
        Plan(
            product: "large", price: 9990, period: "P1M", level: 1, group: "BASKETS",
            offers: [
                Offer(kind: .introductory, mode: .payAsYouGo, period: "P1M", periods: 3, price: 990),
                Offer(kind: .promotional, name: "spring", mode: .payAsYouGo, period: "P1M", periods: 2, price: 1990),
                Offer(kind: .code, name: "any", mode: .payUpFront, period: "P1M", price: 990, customers: all),
            ]),
        Plan(
            product: "small", price: 4990, period: "P1M", level: 2, group: "BASKETS",
            offers: [
                Offer(kind: .introductory, mode: .free, period: "P1W"),
                Offer(kind: .promotional, name: "spring", mode: .payAsYouGo, period: "P1M", periods: 2, price: 1990),
                Offer(kind: .promotional, name: "gift", mode: .free, period: "P2W"),
                Offer(kind: .winBack, name: "back", mode: .payAsYouGo, period: "P1M", periods: 2, price: 990),
                Offer(kind: .code, name: "letter", mode: .free, period: "P1M", customers: ["new", "expired"]),
                Offer(
                    kind: .code, name: "stay", mode: .payAsYouGo, period: "P1M", periods: 2, price: 1490,
                    customers: all),
            ]),
        Plan(
            product: "other", price: 5990, period: "P1M", level: 2, group: "BASKETS",
            offers: [
                Offer(kind: .introductory, mode: .free, period: "P3D"),
                Offer(
                    kind: .code, name: "stack", mode: .payUpFront, period: "P3M", price: 4990,
                    customers: ["new", "expired"], isStackable: true),
            ]),
        Plan(
            product: "yearly", price: 49_990, period: "P1Y", level: 2, group: "BASKETS",
            offers: [Offer(kind: .introductory, mode: .payUpFront, period: "P6M", price: 19_990)]),
        Plan(
            product: "weekly", price: 1490, period: "P1W", level: 2, group: "BASKETS",
            offers: [Offer(kind: .promotional, name: "gift", mode: .free, period: "P2W")]),
        Plan(
            product: "paper", price: 2990, period: "P1M", level: 1, group: "PAPERS",
            offers: [
                Offer(kind: .introductory, mode: .free, period: "P1W"),
                Offer(kind: .promotional, name: "spring", mode: .payUpFront, period: "P3M", price: 4990),
                Offer(kind: .winBack, name: "back", mode: .free, period: "P1M"),
            ]),
        Plan(product: "free", price: 0, period: "P1M", level: 2, group: "PAPERS"),
    ]

    static func plan(_ product: String) -> Plan? { plans.first { $0.product == product } }

    static func offer(_ kind: Product.Offer.Kind, _ name: String = "", of product: String) -> Offer? {
        plan(product)?.offers.first { $0.kind == kind && $0.name == name }
    }

    /// The offer of a code: a promo code has no name, and gives one period.
    static func offer(of code: Code) -> Offer? {
        guard code.offer.isEmpty else { return offer(.code, code.offer, of: code.product) }
        return plan(code.product).map { Offer(kind: .code, mode: .free, period: $0.period, customers: all) }
    }

    /// The days that some periods of a length have.
    static func days(of period: String, times: Int) -> ClosedRange<Double> {
        let count = Double(period.dropFirst().dropLast()) ?? 0
        let lengths: [Character: ClosedRange<Double>] = ["D": 1...1, "W": 7...7, "M": 28...31, "Y": 365...366]
        let one = lengths[period.last ?? "D"] ?? 0...0
        // Clocks are put forward and back by an hour.
        return (one.lowerBound * count * Double(times) - 0.1)...(one.upperBound * count * Double(times) + 0.1)
    }
}

extension OfferedBaskets {
    /// A code that the seller has made.
    struct Code: Hashable, Sendable {
        var text: String
        var product: String
        /// The name of the offer; empty for a promo code.
        var offer: String
        var limit: Int
    }

    /// The word that several customers redeem at the same time.
    static let word = Code(text: "WELCOME", product: "small", offer: "letter", limit: 2)

    /// The number of the codes that ``makeCodes(in:)`` makes.
    static let codes = 9

    /// Makes the codes: one-time ones, words, and promo codes.
    static func makeCodes(in store: TestStore) async throws -> [Code] {
        var codes = [word, Code(text: "STAY-2026", product: "small", offer: "stay", limit: 5)]
        for code in codes {
            _ = try await store.codes(TestStore.custom(code.text, code.offer, of: code.product, limit: code.limit))
        }
        let drawn = [("letter", "small", 2), ("any", "large", 2), ("stack", "other", 2), (nil, "weekly", 1)]
        for (offer, product, size) in drawn {
            let order = TestStore.order(offer, of: product, batch: "of-\(product)", size: size)
            codes += try await store.codes(order).map {
                Code(text: $0, product: product, offer: offer ?? "", limit: 1)
            }
        }
        return codes
    }
}

extension TestStore {
    /// Sells ``OfferedBaskets/plans``.
    func sellOfferedBaskets(graceDays: Int) async throws {
        let groups = ["BASKETS", "PAPERS"].map { group in
            let plans = OfferedBaskets.plans.filter { $0.group == group }.map(Self.text)
            return """
                { "id" : "\(group)", "name" : "\(group)", "localizations" : [],
                  "subscriptions" : [ \(plans.joined(separator: ", ")) ] }
                """
        }
        try await sell(
            Self.catalogue.replacing(
                "\"version\" :",
                with: "\"subscriptionGroups\" : [ \(groups.joined(separator: ", ")) ], \"version\" :"))
        try await SettingGracePeriod(context)(days: graceDays, of: BundleIdentifier(Self.bundleIdentifier))
    }

    private static func text(_ plan: OfferedBaskets.Plan) -> String {
        let introductory = plan.offers.first { $0.kind == .introductory }.map { "\"introductoryOffer\" : \(text($0))" }
        let lists = [
            ("adHocOffers", Product.Offer.Kind.promotional), ("codeOffers", .code), ("winbackOffers", .winBack),
        ]
        .map { key, kind in
            "\"\(key)\" : [ \(plan.offers.filter { $0.kind == kind }.map(text).joined(separator: ", ")) ]"
        }
        let members = (introductory.map { [$0] } ?? []) + lists
        let price = Money(milliunits: plan.price, currency: "USD").decimal
        return subscription(plan.product, price, plan.period, plan.level, plan.group)
            .replacing("\"localizations\" : []", with: "\"localizations\" : [], \(members.joined(separator: ", "))")
    }

    private static func text(_ offer: OfferedBaskets.Offer) -> String {
        let customers = offer.customers.map { "\"\($0)\"" }.joined(separator: ", ")
        let name = offer.kind == .introductory ? "" : "\"offerID\" : \"\(offer.name)\","
        let price =
            offer.mode == .free
            ? "" : "\"displayPrice\" : \"\(Money(milliunits: offer.price, currency: "USD").decimal)\","
        let code =
            offer.kind == .code
            ? "\"eligibility\" : [ \(customers) ], \"isStackable\" : \(offer.isStackable)," : ""
        return """
            { "internalID" : "offer", \(name) "referenceName" : "\(offer.name)", \(price) \(code)
              "paymentMode" : "\(offer.mode.rawValue)", "subscriptionPeriod" : "\(offer.period)",
              "numberOfPeriods" : \(offer.periods) }
            """
    }
}
