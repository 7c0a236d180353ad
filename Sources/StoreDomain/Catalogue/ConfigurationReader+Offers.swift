// SPDX-License-Identifier: Apache-2.0

import Foundation

// The offers of a subscription in a configuration file.
extension ConfigurationReader {
    /// The most offers of a list in a file, of all billing plans.
    private static let mostListed = 350

    /// The most offers of one kind that a product has at a time, as in App
    /// Store Connect.
    private static func mostOffers(_ key: String) -> Int {
        [ConfigurationKeys.promotionalOffers, ConfigurationKeys.codeOffers].contains(key) ? 10 : mostListed
    }

    /// The offers of a subscription that the store makes, and those that it
    /// doesn't make yet.
    func offers(_ object: [String: Any], at place: String) throws -> ([Product.Offer], [ConfigurationOmission]) {
        let introductory = try introductoryOffers(object, at: place)
        var offers = try introductory.first.map { [try offer($0.offer, .introductory, at: $0.place)] } ?? []
        let (promotional, twice) = try promotionalOffers(object, at: place)
        let (codes, unused) = try codeOffers(object, at: place)
        offers += promotional + codes
        offers += try winBackOffers(object, at: place)
        let omissions = introductory.dropFirst().map {
            ConfigurationOmission(place: $0.place, reason: "a subscription has one introductory offer in this store")
        }
        return (offers, omissions + twice + unused + (try offersOfPlans(object, at: place)))
    }

    /// The introductory offers with their places: files of the version 5.0
    /// have a list, and also the one of older files.
    private func introductoryOffers(
        _ object: [String: Any], at place: String
    ) throws -> [(offer: [String: Any], place: String)] {
        let listed = try usual(object, ConfigurationKeys.introductoryOffers, at: place)
        let key = ConfigurationKeys.introductoryOffer
        guard listed.isEmpty, let value = object[key], !(value is NSNull) else { return listed }
        return [(try self.object(value, "\(place).\(key)"), "\(place).\(key)")]
    }

    /// The offers that belong to another billing plan than the usual one.
    private func offersOfPlans(_ object: [String: Any], at place: String) throws -> [ConfigurationOmission] {
        try [
            ConfigurationKeys.introductoryOffers, ConfigurationKeys.promotionalOffers, ConfigurationKeys.codeOffers,
            ConfigurationKeys.winBackOffers,
        ]
        .flatMap { try listed(object, $0, at: place) }
        .filter { try billingPlan(of: $0.offer, at: $0.place) != nil }
        .map { ConfigurationOmission(place: $0.place, reason: "billing plans aren't sold yet") }
    }

    /// The promotional offers, and those that have the identifier of another
    /// one: Xcode takes such a file, and the signature of an offer names the
    /// identifier.
    private func promotionalOffers(
        _ object: [String: Any], at place: String
    ) throws -> ([Product.Offer], [ConfigurationOmission]) {
        let offers = try usual(object, ConfigurationKeys.promotionalOffers, at: place).map { listed in
            (try offer(listed.offer, .promotional, at: listed.place), listed.place)
        }
        return keepsRepeatedOffers ? (offers.map(\.0), []) : named(offers, "promotional offer")
    }

    /// The offers of a list that aren't those of another billing plan.
    ///
    /// - Throws: The reader's error, also when they are too many.
    func usual(
        _ object: [String: Any], _ key: String, at place: String
    ) throws -> [(offer: [String: Any], place: String)] {
        let usual = try listed(object, key, at: place).filter { try billingPlan(of: $0.offer, at: $0.place) == nil }
        try checkNumber(usual.count, key, at: place)
        return usual
    }

    /// Checks the number of a product's offers of one kind.
    func checkNumber(_ count: Int, _ key: String, at place: String) throws {
        let most = Self.mostOffers(key)
        guard count <= most else {
            throw error(place, key, "has \(count) offers, and a product has at most \(most) of this kind")
        }
    }

    /// The offers of a list, with their places.
    func listed(
        _ object: [String: Any], _ key: String, at place: String
    ) throws -> [(offer: [String: Any], place: String)] {
        let values = try array(object, key, most: Self.mostListed, at: place)
        return try values.enumerated().map { index, value in
            let place = "\(place).\(key)[\(index)]"
            return (try self.object(value, place), place)
        }
    }

    /// The billing plan that an offer is for; `nil` for the usual one, which
    /// is billed up front.
    private func billingPlan(of offer: [String: Any], at place: String) throws -> String? {
        let plan = try optionalText(offer, "billingPlanType", at: place)
        return plan == "BILLED_UPFRONT" ? nil : plan
    }

    func offer(_ object: [String: Any], _ kind: Product.Offer.Kind, at place: String) throws -> Product.Offer {
        let mode = try paymentMode(object, at: place)
        let (period, periods) = try length(object, at: place)
        var price: Int64 = 0
        if mode != .free {
            price = try milliunits(try text(object, "displayPrice", at: place), "displayPrice", at: place)
        }
        return Product.Offer(
            kind, identifier: try name(of: object, kind, at: place),
            referenceName: try optionalText(object, "referenceName", at: place) ?? "", mode: mode, period: period,
            periods: periods, milliunits: price, prices: try prices(object, at: place))
    }

    /// The name of an offer: an offer of codes has only the one that the
    /// seller refers to it by.
    func name(of object: [String: Any], _ kind: Product.Offer.Kind, at place: String) throws -> String {
        switch kind {
        case .introductory: ""
        case .code where object["offerID"] is String: try identifier(object, "offerID", at: place)
        case .code: try identifier(object, "referenceName", at: place)
        case .promotional, .winBack: try identifier(object, "offerID", at: place)
        }
    }

    private func paymentMode(_ object: [String: Any], at place: String) throws -> Product.Offer.PaymentMode {
        let text = try text(object, "paymentMode", at: place)
        guard let mode = Product.Offer.PaymentMode(rawValue: text) else {
            throw error(place, "paymentMode", "\"\(text)\" is none; use free, payAsYouGo or payUpFront")
        }
        return mode
    }

    /// The length of an offer's period, and the number of its periods.
    private func length(
        _ object: [String: Any], at place: String
    ) throws -> (SubscriptionPeriod, Int) {
        let text = try text(object, "subscriptionPeriod", at: place)
        guard let period = SubscriptionPeriod(iso8601: text), period.isAtMostAYear else {
            throw error(
                place, "subscriptionPeriod", "\"\(text)\" is no length of at most a year; use one such as P3D or P1M")
        }
        let key = "numberOfPeriods"
        let isThere = object[key].map { !($0 is NSNull) } ?? false
        let periods = isThere ? try wholeNumber(object, key, at: place) : 1
        guard (1...12).contains(periods) else { throw error(place, key, "\(periods) isn't 1 to 12") }
        let whole = SubscriptionPeriod(period.count * periods, period.unit)
        guard whole.isAtMostAYear else {
            throw error(place, key, "\(periods) times \(text) is longer than a year")
        }
        return (period, periods)
    }
}
