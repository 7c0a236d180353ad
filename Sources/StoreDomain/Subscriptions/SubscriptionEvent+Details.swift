// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore

/// The values of an event as the database keeps them: a JSON object whose keys
/// never change. Dates are milliseconds since 1970.
struct SubscriptionEventDetails: Codable {
    var period: Period?
    var product: String?
    var transaction: String?
    var payment: String?
    var until: Int64?
    var reason: Int?
    var renewalExtension: Extension?
    var offer: StoredOffer?
    var priceIncrease: StoredIncrease?
    var chosenPrice: ChosenPrice?

    struct Extension: Codable {
        var days: Int
        var reason: Int
        var request: String
    }

    struct Period: Codable {
        var transaction: String
        var product: String
        var group: String
        var level: Int
        var length: String
        var start: Int64
        var end: Int64
        var anchor: Int64
        var anchorMonths: Int
        var anchorDays: Int
        var speed: String
        var renewals: Int
        var webOrder: String
        var milliunits: Int64
        var currency: String
        var storefront: String
        var offer: StoredOffer?
        var priceIncrease: StoredIncrease?
    }
}

extension SubscriptionEvent {
    /// The event's values in JSON.
    var details: String {
        get throws {
            let details = SubscriptionEventDetails(
                period: period.map(SubscriptionEventDetails.Period.init), product: product?.rawValue,
                transaction: transaction?.rawValue, payment: payment?.rawValue, until: until?.milliseconds,
                reason: reason?.rawValue,
                renewalExtension: renewalExtension.map(SubscriptionEventDetails.Extension.init),
                offer: offer.map(StoredOffer.init), priceIncrease: priceIncrease.map(StoredIncrease.init),
                chosenPrice: chosenPrice)
            return try SortedJSON.text(details)
        }
    }

    /// Makes an event of its row.
    ///
    /// - Throws: ``DomainError`` `invalid` for a kind or details that this
    ///   version doesn't know.
    init(kind name: String, at moment: StoreTime, details text: String) throws {
        guard let kind = Kind(rawValue: name),
            let details = try? JSONDecoder().decode(SubscriptionEventDetails.self, from: Data(text.utf8))
        else { throw DomainError(.invalid, "The event \"\(name)\" of a subscription can't be read: \(text)") }
        self.init(
            kind, at: moment, period: try details.period.map(SubscribedPeriod.init),
            product: details.product.map { ProductIdentifier($0) },
            transaction: details.transaction.map { TransactionIdentifier($0) },
            payment: details.payment.map { PaymentIdentifier($0) },
            until: details.until.map(StoreTime.init(milliseconds:)),
            reason: details.reason.map(ExpirationReason.init(rawValue:)),
            renewalExtension: details.renewalExtension.map(RenewalExtension.init),
            offer: try details.offer.map(AppliedOffer.init),
            priceIncrease: details.priceIncrease.map(PriceIncrease.init))
        chosenPrice = details.chosenPrice
    }
}

extension SubscriptionEventDetails.Extension {
    init(_ order: RenewalExtension) {
        self.init(days: order.days, reason: order.reason.rawValue, request: order.request.rawValue)
    }
}

extension RenewalExtension {
    init(_ details: SubscriptionEventDetails.Extension) {
        self.init(
            days: details.days, reason: Reason(rawValue: details.reason),
            request: RenewalExtensionIdentifier(details.request))
    }
}

extension SubscriptionEventDetails.Period {
    init(_ period: SubscribedPeriod) {
        self.init(
            transaction: period.transaction.rawValue, product: period.product.rawValue,
            group: period.plan.group.rawValue, level: period.plan.level, length: period.plan.period.iso8601,
            start: period.start.milliseconds, end: period.end.milliseconds,
            anchor: period.anchor.start.milliseconds, anchorMonths: period.anchor.months,
            anchorDays: period.anchor.days, speed: period.speed.rawValue, renewals: period.renewals,
            webOrder: period.webOrder.rawValue, milliunits: period.price.milliunits,
            currency: period.price.currency, storefront: period.storefront, offer: period.offer.map(StoredOffer.init),
            priceIncrease: period.priceIncrease.map(StoredIncrease.init))
    }
}

extension SubscribedPeriod {
    /// - Throws: ``DomainError`` `invalid` for a length, a speed or an offer
    ///   that this version doesn't know.
    init(_ details: SubscriptionEventDetails.Period) throws {
        guard let length = SubscriptionPeriod(iso8601: details.length),
            let speed = RenewalSpeed(rawValue: details.speed)
        else { throw DomainError(.invalid, "The period \(details.length) at \(details.speed) can't be read.") }
        self.init(
            transaction: TransactionIdentifier(details.transaction), product: ProductIdentifier(details.product),
            plan: Product.Plan(
                group: SubscriptionGroupIdentifier(details.group), level: details.level, period: length),
            start: StoreTime(milliseconds: details.start), end: StoreTime(milliseconds: details.end),
            anchor: BillingAnchor(
                start: StoreTime(milliseconds: details.anchor), months: details.anchorMonths,
                days: details.anchorDays),
            speed: speed, renewals: details.renewals, webOrder: WebOrderIdentifier(details.webOrder),
            price: Money(milliunits: details.milliunits, currency: details.currency),
            storefront: details.storefront, offer: try details.offer.map(AppliedOffer.init),
            priceIncrease: details.priceIncrease.map(PriceIncrease.init))
    }
}
