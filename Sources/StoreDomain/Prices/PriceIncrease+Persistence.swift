// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The form of a price increase in the database: a JSON object whose keys
/// never change. Dates are milliseconds since 1970.
struct StoredIncrease: Codable {
    var change: String?
    var milliunits: Int64
    var currency: String
    var storefront: String
    var needsConsent: Bool
    var applies: Int64
    var isAgreed: Bool

    init(_ increase: PriceIncrease) {
        change = increase.change?.rawValue
        milliunits = increase.price.milliunits
        currency = increase.price.currency
        storefront = increase.storefront
        needsConsent = increase.needsConsent
        applies = increase.applies.milliseconds
        isAgreed = increase.isAgreed
    }
}

extension PriceIncrease {
    init(_ stored: StoredIncrease) {
        self.init(
            change: stored.change.map { PriceChangeIdentifier($0) },
            price: Money(milliunits: stored.milliunits, currency: stored.currency), storefront: stored.storefront,
            needsConsent: stored.needsConsent, applies: StoreTime(milliseconds: stored.applies),
            isAgreed: stored.isAgreed)
    }
}

extension Subscription {
    /// Whether its subscriber was informed of a change, in this period or an
    /// earlier one.
    func wasTold(of change: PriceChangeIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.rows(
            """
            SELECT kind, at, details FROM subscription_event
            WHERE environment = $1 AND original_transaction_id = $2 AND bucket = $3
                AND kind = 'price increase announced'
            """, [db.environment.rawValue, original, account.bucket]
        ).map(SubscriptionEvent.init).contains { $0.priceIncrease?.change == change }
    }

    /// The price of the increase that waits, as the subscriber is shown it now:
    /// a later rise of the catalogue's isn't agreed to. `nil` without an
    /// increase.
    func increasedPrice(_ db: StoreTransaction) throws -> Money? {
        guard let state = newestState, state.priceIncrease != nil else { return nil }
        return try Catalogue.product(state.period.product, of: bundleIdentifier, db).flatMap(state.increasedPrice)
    }

    /// Ends an increase to which the subscriber hasn't agreed, and which the
    /// catalogue doesn't ask for any more where the customer is now.
    ///
    /// - Returns: `false` when there is none: the subscription ends for lack
    ///   of consent.
    mutating func endNeedlessIncrease(at moment: StoreTime, _ db: StoreTransaction) throws -> Bool {
        guard let state = newestState, state.renews, state.lacksConsent, let increase = state.priceIncrease,
            increase.change != nil,
            let storefront = try Account.findOpen(account, db)?.storefront,
            let product = try Catalogue.product(state.period.product, of: bundleIdentifier, db)
        else { return false }
        let isHigher = product.price(in: storefront).milliunits > state.period.regularPrice.milliunits
        guard storefront.countryCode != increase.storefront || !isHigher else { return false }
        events.append(SubscriptionEvent(.priceIncreaseEnded, at: moment))
        return true
    }
}
