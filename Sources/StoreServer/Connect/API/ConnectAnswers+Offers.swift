// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension ConnectAnswers {
    /// The conditions of a win-back offer, in months.
    struct Conditions: Encodable {
        var paidMonths: Int
        var leastLapsedMonths: Int
        var mostLapsedMonths: Int
        var waitMonths: Int?
    }

    struct Offer: Encodable {
        var kind: String
        /// `nil` for an introductory offer.
        var identifier: String?
        var reference: String?
        var mode: String
        /// `nil` for a product that isn't a subscription.
        var period: String?
        var periods: Int
        var price: String
        /// The prices of single countries.
        var prices: [String: String]
        /// The customers who can redeem a code.
        var eligibility: [String]
        var stackable: Bool
        var priority: String
        var conditions: Conditions?
    }

    struct Offers: Encodable {
        var offers: [Offer]
        /// That of the product.
        var version: Int64
    }

    struct Codes: Encodable {
        var codes: [Code]
    }

    struct Code: Encodable {
        var code: String
        var redeemed: Int
    }

    /// A batch of codes.
    struct Batch: Encodable {
        var batch: String
        /// `nil` for promo codes of the app itself.
        var product: String?
        var kind: String
        var offer: String?
        var name: String
        var size: Int
        /// The number of codes that are made.
        var made: Int
        /// The number of redemptions of each code.
        var uses: Int
        var redemptions: Int
        /// Whether the codes can be downloaded.
        var hasCodes: Bool
        var created: String
        var expires: String?
        var revoked: String?
    }

    struct Batches: Encodable {
        var batches: [Batch]
        var next: String?
    }

    /// A price that is scheduled, or that has begun.
    struct PlannedPrice: Encodable {
        var change: String
        /// `nil` for the base price.
        var country: String?
        var price: String
        var starts: String
        var subscribers: String
        var consent: String
    }

    struct PlannedPrices: Encodable {
        var scheduled: [PlannedPrice]
        var begun: [PlannedPrice]
    }
}

extension ConnectAnswers.Offers {
    init(_ found: ProductRegistration) {
        let hasPeriods = found.product.plan != nil
        self.init(
            offers: found.product.offers.map { ConnectAnswers.Offer($0, hasPeriods: hasPeriods) },
            version: found.version)
    }
}

extension ConnectAnswers.Offer {
    init(_ offer: Product.Offer, hasPeriods: Bool) {
        self.init(
            kind: offer.kind.rawValue, identifier: offer.identifier.nonEmpty, reference: offer.referenceName.nonEmpty,
            mode: offer.mode.rawValue, period: hasPeriods ? offer.period.iso8601 : nil, periods: offer.periods,
            price: offer.milliunits.decimal,
            prices: Dictionary(
                uniqueKeysWithValues: offer.prices.map { ($0.key, $0.value.decimal(in: $0.key)) }),
            eligibility: offer.eligibility.sorted().map(\.rawValue), stackable: offer.isStackable,
            priority: offer.priority.rawValue,
            conditions: offer.conditions.map {
                ConnectAnswers.Conditions(
                    paidMonths: $0.paidMonths, leastLapsedMonths: $0.leastLapsedMonths,
                    mostLapsedMonths: $0.mostLapsedMonths, waitMonths: $0.waitMonths)
            })
    }
}

extension ConnectAnswers.Batch {
    init(_ listed: MakingAppCodes.Listed) {
        let batch = listed.batch
        self.init(
            batch: batch.identifier, product: batch.productIdentifier.rawValue.nonEmpty, kind: batch.kind.rawValue,
            offer: batch.offer.nonEmpty, name: batch.name, size: batch.size, made: batch.made, uses: batch.usesLimit,
            redemptions: batch.redemptions, hasCodes: listed.hasCodes && batch.isComplete,
            created: batch.created.iso8601, expires: batch.expires?.iso8601, revoked: batch.revoked?.iso8601)
    }
}

extension ConnectAnswers.PlannedPrices {
    init(_ prices: PricingProduct.Prices) {
        self.init(
            scheduled: prices.scheduled.map(ConnectAnswers.PlannedPrice.init),
            begun: prices.begun.map(ConnectAnswers.PlannedPrice.init))
    }
}

extension ConnectAnswers.PlannedPrice {
    init(_ change: PriceChange) {
        self.init(
            change: change.identifier.rawValue, country: change.storefront,
            price: change.milliunits.decimal(in: change.storefront),
            starts: change.starts.iso8601, subscribers: change.subscribers.rawValue, consent: change.consent.rawValue)
    }
}
