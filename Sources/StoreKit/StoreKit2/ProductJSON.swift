// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore

/// The store's information about a product in the shape of Apple's
/// `jsonRepresentation`, as it was observed.
struct ProductJSON {
    /// The JSON, with sorted keys.
    let text: String

    private struct Body: Encodable {
        var attributes: Attributes
        var href: String
        var id: String
        var type = "in-apps"
    }

    private struct Attributes: Encodable {
        struct Text: Encodable { var standard: String }

        var name: String
        var description: Text
        var offerName: String
        var kind: String
        var icuLocale: String
        var isFamilyShareable: Int
        var isSubscription: Int
        var subscriptionFamilyId: String?
        var subscriptionFamilyName: String?
        var subscriptionFamilyRank: Int?
        var offers: [Offer]
    }

    private struct Offer: Encodable {
        var type = "buy"
        var currencyCode: String
        var price: String
        var priceFormatted: String
        var recurringSubscriptionPeriod: String?
        var discounts: [Discount]?
    }

    private struct Discount: Encodable {
        var type: String
        var modeType: String
        var offerIdentifier: String?
        var numOfPeriods: Int
        var price: String
        var priceFormatted: String
        var recurringSubscriptionPeriod: String
    }

    init(_ info: ProductInfo, storefront: StorefrontInfo) {
        let prices = PriceText(info)
        let discounts = info.offers?.map { offer in
            Discount(
                type: Product.SubscriptionOffer.OfferType(offer.kind).rawValue,
                modeType: Product.SubscriptionOffer.PaymentMode(offer.paymentMode).rawValue,
                offerIdentifier: offer.identifier, numOfPeriods: offer.periods,
                price: "\(Decimal(milliunits: offer.milliunits))", priceFormatted: prices.text(of: offer.milliunits),
                recurringSubscriptionPeriod: offer.period)
        }
        let offer = Offer(
            currencyCode: info.currency, price: "\(Decimal(milliunits: info.milliunits))",
            priceFormatted: prices.text(of: info.milliunits), recurringSubscriptionPeriod: info.subscriptionPeriod,
            discounts: discounts)
        let body = Body(
            attributes: Attributes(
                name: info.title, description: .init(standard: info.description), offerName: info.productIdentifier,
                kind: info.type.rawValue, icuLocale: info.priceLocale,
                isFamilyShareable: info.isFamilyShareable ? 1 : 0,
                isSubscription: info.subscriptionPeriod == nil ? 0 : 1,
                subscriptionFamilyId: info.subscriptionGroupIdentifier,
                subscriptionFamilyName: info.subscriptionGroupName,
                subscriptionFamilyRank: info.subscriptionGroupLevel, offers: [offer]),
            href: "/v1/catalog/\(storefront.countryCode.lowercased())/in-apps/\(info.productIdentifier)",
            id: info.productIdentifier)
        // Texts and numbers can always be encoded.
        text = (try? SortedJSON.text(body)) ?? "{}"
    }
}
