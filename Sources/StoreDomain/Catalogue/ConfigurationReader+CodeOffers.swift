// SPDX-License-Identifier: Apache-2.0

import Foundation

// The offers of a configuration file that a customer gets with a code, and
// those that win a former subscriber back.
extension ConfigurationReader {
    /// The code offers of a subscription, and those that have a name that
    /// another one has: a code names its offer.
    func codeOffers(_ object: [String: Any], at place: String) throws -> ([Product.Offer], [ConfigurationOmission]) {
        let offers = try usual(object, ConfigurationKeys.codeOffers, at: place).map { listed in
            var offer = try offer(listed.offer, .code, at: listed.place)
            offer.eligibility = try eligibility(listed.offer, at: listed.place)
            offer.isStackable = try flag(listed.offer, "isStackable", at: listed.place)
            return (offer, listed.place)
        }
        return named(offers, "code offer")
    }

    /// The code offers of a product that isn't a subscription (files of Xcode
    /// 27): each has a price, or is free, and no period. The eligibility, which
    /// depends on earlier spending, has no effect.
    func oneTimeOffers(
        _ object: [String: Any], at place: String
    ) throws -> ([Product.Offer], [ConfigurationOmission]) {
        var omissions: [ConfigurationOmission] = []
        let all = try listed(object, ConfigurationKeys.codeOffers, at: place)
        try checkNumber(all.count, ConfigurationKeys.codeOffers, at: place)
        let offers = try all.map { listed in
            let text = try optionalText(listed.offer, "displayPrice", at: listed.place)
            let isFree = try optionalText(listed.offer, "paymentMode", at: listed.place) == "free"
            var price: Int64 = 0
            if let text, !isFree { price = try milliunits(text, "displayPrice", at: listed.place) }
            if try !array(listed.offer, "eligibility", most: Product.Offer.Eligibility.allCases.count, at: listed.place)
                .isEmpty
            {
                omissions.append(
                    ConfigurationOmission(
                        place: "\(listed.place).eligibility",
                        reason: "every customer can redeem a code for a product that isn't a subscription"))
            }
            let offer = Product.Offer(
                .code, identifier: try name(of: listed.offer, .code, at: listed.place),
                referenceName: try optionalText(listed.offer, "referenceName", at: listed.place) ?? "",
                mode: price == 0 ? .free : .payUpFront, period: Product.Offer.noPeriod, milliunits: price,
                prices: try prices(listed.offer, at: listed.place))
            return (offer, listed.place)
        }
        let (kept, twice) = named(offers, "code offer")
        return (kept, omissions + twice)
    }

    /// The win-back offers of a subscription.
    func winBackOffers(_ object: [String: Any], at place: String) throws -> [Product.Offer] {
        var names: Set<String> = []
        return try usual(object, ConfigurationKeys.winBackOffers, at: place).map { listed in
            var offer = try offer(listed.offer, .winBack, at: listed.place)
            let isSwitched = listed.offer["isEligible"].map { !($0 is NSNull) } ?? false
            offer.isEligible = try !isSwitched || flag(listed.offer, "isEligible", at: listed.place)
            offer.priority = priority(listed.offer["priority"])
            offer.conditions = try conditions(listed.offer, at: listed.place)
            guard names.insert(offer.identifier).inserted else {
                throw error(listed.place, "offerID", "\"\(offer.identifier)\" is there twice")
            }
            return offer
        }
    }

    /// The former subscribers who may get a win-back offer, which `storectl
    /// catalogue export` writes; `nil` in a file of Xcode.
    private func conditions(_ object: [String: Any], at place: String) throws -> WinBackConditions? {
        guard let (terms, place) = try storeTerms(object, at: place), let value = terms["conditions"],
            !(value is NSNull)
        else { return nil }
        let (numbers, inside) = (try self.object(value, "\(place).conditions"), "\(place).conditions")
        func months(_ key: String, _ usual: Int) throws -> Int {
            numbers[key] == nil ? usual : try wholeNumber(numbers, key, at: inside)
        }
        let usual = WinBackConditions()
        var conditions = usual
        conditions.paidMonths = try months("paidMonths", usual.paidMonths)
        conditions.leastLapsedMonths = try months("leastLapsedMonths", usual.leastLapsedMonths)
        conditions.mostLapsedMonths = try months("mostLapsedMonths", usual.mostLapsedMonths)
        if numbers["waitMonths"] != nil { conditions.waitMonths = try months("waitMonths", 0) }
        do { try conditions.check() } catch { throw self.error(place, "conditions", String(error.message.dropLast())) }
        return conditions
    }

    /// Xcode's form of the priority isn't documented: App Store Connect has
    /// the words HIGH and NORMAL, and files have a number.
    private func priority(_ value: Any?) -> Product.Offer.Priority {
        if let text = value as? String { return text.lowercased() == "high" ? .high : .normal }
        return (value as? Int) == 1 ? .high : .normal
    }

    /// The customers who can redeem a code; all of them in a file that doesn't
    /// say it.
    private func eligibility(_ object: [String: Any], at place: String) throws -> Set<Product.Offer.Eligibility> {
        guard let value = object["eligibility"], !(value is NSNull) else {
            return Set(Product.Offer.Eligibility.allCases)
        }
        return Set(
            try array(object, "eligibility", most: Product.Offer.Eligibility.allCases.count, at: place).map { value in
                guard let text = value as? String, let customers = Product.Offer.Eligibility(rawValue: text) else {
                    throw error(place, "eligibility", "\"\(value)\" is none; use new, existing or expired")
                }
                return customers
            })
    }

    /// The first offer of each name, and the others' omissions.
    func named(
        _ offers: [(Product.Offer, String)], _ kind: String
    ) -> ([Product.Offer], [ConfigurationOmission]) {
        var names: Set<String> = []
        var kept: [Product.Offer] = []
        var omissions: [ConfigurationOmission] = []
        for (offer, place) in offers {
            if names.insert(offer.identifier).inserted {
                kept.append(offer)
            } else {
                omissions.append(
                    ConfigurationOmission(
                        place: place, reason: "another \(kind) has the name \"\(offer.identifier)\""))
            }
        }
        return (kept, omissions)
    }
}
