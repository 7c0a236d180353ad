// SPDX-License-Identifier: Apache-2.0

extension Product {
    /// A lower price, or a free time, that a subscription is offered for
    /// (`SKProductDiscount`, `Product.SubscriptionOffer`); of every other
    /// product, the price of one unit for a customer with a code.
    package struct Offer: Hashable, Sendable {
        /// The four kinds of offers, with the words of the database.
        package enum Kind: String, Hashable, Sendable, Codable {
            /// For a customer who has had none in the group.
            case introductory
            /// For a present or former subscriber, signed by the seller.
            case promotional
            /// For a customer who enters a code.
            case code
            /// For a former subscriber.
            case winBack = "win-back"

            /// Whether apps see it among the offers of a product. A code is
            /// given to its customers by the seller.
            package var isSeenByApps: Bool { self != .code }
        }

        /// The customers who can redeem a code, by their subscriptions of the
        /// group, in the words of configuration files.
        package enum Eligibility: String, Hashable, Sendable, CaseIterable, Comparable {
            /// A customer who has never had a subscription of the group.
            case new
            /// A customer who has one now.
            case existing
            /// A customer whose subscription has ended.
            case expired

            package static func < (one: Eligibility, other: Eligibility) -> Bool { one.rawValue < other.rawValue }
        }

        /// The place of a win-back offer among several that a customer could
        /// get.
        package enum Priority: String, Hashable, Sendable {
            case normal
            case high
        }

        /// The time of the payment, in the words of configuration files.
        package enum PaymentMode: String, Hashable, Sendable {
            /// Nothing is paid for one period.
            case free
            /// Each of several periods is paid at its start.
            case payAsYouGo
            /// One period is paid at its start.
            case payUpFront
        }

        package var kind: Kind
        /// The name by which apps and the seller's server refer to it; the
        /// reference name of a code offer; empty for an introductory offer.
        package var identifier: String
        /// The seller's own name for it; empty when it has none.
        package var referenceName: String
        package var mode: PaymentMode
        /// The length of a period of the offer; ``noPeriod`` for a product that
        /// isn't a subscription.
        package var period: SubscriptionPeriod
        /// The number of periods, 1 or more.
        package var periods: Int
        /// The base price of a period in thousandths, to which the prices of the storefronts without one in `prices`
        /// correspond (``Product/price(of:in:)``).
        package var milliunits: Int64
        /// Prices of single storefronts, by country code, in thousandths.
        package var prices: [String: Int64]
        /// The customers who can redeem the codes of a subscription's offer;
        /// empty for the other kinds, and for a product that every customer
        /// can buy.
        package var eligibility: Set<Eligibility> = []
        /// Whether a code may be redeemed together with the introductory
        /// offer, which it follows. A code that isn't replaces it.
        package var isStackable = false
        /// Whether a test environment takes every former subscriber as one who
        /// may get a win-back offer (the switch of a configuration file).
        package var isEligible = true
        package var priority = Priority.normal
        /// The former subscribers who may get a win-back offer; `nil` for all
        /// of them, and for the other kinds.
        package var conditions: WinBackConditions?

        /// The period of an offer for a product without periods, which nothing
        /// reads.
        package static let noPeriod = SubscriptionPeriod(1, .day)

        package init(
            _ kind: Kind, identifier: String = "", referenceName: String = "", mode: PaymentMode,
            period: SubscriptionPeriod, periods: Int = 1, milliunits: Int64 = 0, prices: [String: Int64] = [:]
        ) {
            self.kind = kind
            self.identifier = identifier
            self.referenceName = referenceName
            self.mode = mode
            self.period = period
            self.periods = periods
            self.milliunits = milliunits
            self.prices = prices
        }

        /// Whether it costs money in one of the storefronts.
        var costsMoney: Bool { mode != .free && (milliunits > 0 || prices.values.contains { $0 > 0 }) }
    }

    /// The offer that codes give; `nil` when the product has none of this name.
    package func codeOffer(_ name: String) -> Offer? { offers.first { $0.kind == .code && $0.identifier == name } }

    /// The offer for customers who have had none in the group; `nil` when
    /// there is none.
    package var introductoryOffer: Offer? { offers.first { $0.kind == .introductory } }
}
