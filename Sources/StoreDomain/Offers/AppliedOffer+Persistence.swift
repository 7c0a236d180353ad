// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

/// The form of an applied offer in the database: a JSON object whose keys
/// never change.
struct StoredOffer: Codable {
    var kind: String
    var identifier: String
    var mode: String
    var period: String
    var periods: Int
    var number: Int
    var milliunits: Int64
    var regularMilliunits: Int64
    var currency: String
    var storefront: String
    /// Missing unless another offer follows.
    var following: [StoredOffer]?

    init(_ offer: AppliedOffer) {
        kind = offer.kind.rawValue
        identifier = offer.identifier
        mode = offer.mode.rawValue
        period = offer.period.iso8601
        periods = offer.periods
        number = offer.number
        milliunits = offer.price.milliunits
        regularMilliunits = offer.regularPrice.milliunits
        currency = offer.price.currency
        storefront = offer.storefront
        following = offer.following.isEmpty ? nil : offer.following.map(StoredOffer.init)
    }
}

extension AppliedOffer {
    /// - Throws: ``DomainError`` `invalid` for a value that this version
    ///   doesn't know.
    init(_ stored: StoredOffer) throws {
        guard let kind = Product.Offer.Kind(rawValue: stored.kind),
            let mode = Product.Offer.PaymentMode(rawValue: stored.mode),
            let period = SubscriptionPeriod(iso8601: stored.period)
        else { throw DomainError(.invalid, "The offer \"\(stored.kind)\" \(stored.mode) can't be read.") }
        self.init(
            kind: kind, identifier: stored.identifier, mode: mode, period: period, periods: stored.periods,
            number: stored.number, price: Money(milliunits: stored.milliunits, currency: stored.currency),
            regularPrice: Money(milliunits: stored.regularMilliunits, currency: stored.currency),
            storefront: stored.storefront)
        following = try (stored.following ?? []).map { try AppliedOffer($0) }
    }

    /// The text for a row.
    var stored: String {
        get throws {
            try SortedJSON.text(StoredOffer(self))
        }
    }

    /// Reads the text of a row.
    ///
    /// - Throws: `DatabaseError` for a text that this version can't read.
    init(stored text: String) throws {
        guard let stored = try? JSONDecoder().decode(StoredOffer.self, from: Data(text.utf8)),
            let offer = try? AppliedOffer(stored)
        else { throw DatabaseError(.column, "The offer of a row can't be read: \(text)") }
        self = offer
    }
}
