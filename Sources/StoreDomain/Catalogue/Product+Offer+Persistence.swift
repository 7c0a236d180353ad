// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

/// The form of a product's offer in the database: a JSON object whose keys
/// never change. Those of a kind's own values are missing in the other kinds,
/// and where they have their usual values.
private struct StoredProductOffer: Codable {
    var kind: String
    var identifier: String
    var referenceName: String
    var mode: String
    var period: String
    var periods: Int
    var milliunits: Int64
    var prices: [String: Int64]
    var eligibility: [String]?
    var isStackable: Bool?
    var isEligible: Bool?
    var priority: String?
    var conditions: WinBackConditions?

    init(_ offer: Product.Offer) {
        kind = offer.kind.rawValue
        identifier = offer.identifier
        referenceName = offer.referenceName
        mode = offer.mode.rawValue
        period = offer.period.iso8601
        periods = offer.periods
        milliunits = offer.milliunits
        prices = offer.prices
        eligibility = offer.eligibility.isEmpty ? nil : offer.eligibility.sorted().map(\.rawValue)
        isStackable = offer.isStackable ? true : nil
        isEligible = offer.isEligible ? nil : false
        priority = offer.priority == .normal ? nil : offer.priority.rawValue
        conditions = offer.conditions
    }

    var offer: Product.Offer? {
        guard let kind = Product.Offer.Kind(rawValue: kind), let mode = Product.Offer.PaymentMode(rawValue: mode),
            let period = SubscriptionPeriod(iso8601: period)
        else { return nil }
        var offer = Product.Offer(
            kind, identifier: identifier, referenceName: referenceName, mode: mode, period: period, periods: periods,
            milliunits: milliunits, prices: prices)
        let eligibility = (eligibility ?? []).map(Product.Offer.Eligibility.init)
        let priority = self.priority.map(Product.Offer.Priority.init) ?? .normal
        guard !eligibility.contains(nil), let priority else { return nil }
        offer.eligibility = Set(eligibility.compactMap { $0 })
        offer.isStackable = isStackable ?? false
        offer.isEligible = isEligible ?? true
        offer.priority = priority
        offer.conditions = conditions
        return offer
    }
}

extension [Product.Offer] {
    /// The text for the product's row; `nil` without offers.
    var stored: String? {
        get throws {
            try isEmpty ? nil : SortedJSON.text(map(StoredProductOffer.init))
        }
    }

    /// Reads the text of a product's row; an empty one has no offers.
    ///
    /// - Throws: `DatabaseError` for a text that this version can't read.
    init(stored text: String) throws {
        guard !text.isEmpty else {
            self = []
            return
        }
        guard let stored = try? JSONDecoder().decode([StoredProductOffer].self, from: Data(text.utf8)) else {
            throw DatabaseError(.column, "The offers of a product can't be read: \(text)")
        }
        self = try stored.map { stored in
            guard let offer = stored.offer else {
                throw DatabaseError(.column, "The offer \"\(stored.kind)\" \(stored.mode) of a product can't be read.")
            }
            return offer
        }
    }
}
