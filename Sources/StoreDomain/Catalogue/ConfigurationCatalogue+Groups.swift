// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ConfigurationCatalogue {
    /// Reads the groups of auto-renewable subscriptions with their products.
    mutating func readGroups(_ root: [String: Any]) throws {
        let key = ConfigurationKeys.groups
        var identifiers = Set(groups.map(\.identifier))
        for (index, value) in try reader.array(root, key, most: ProductRegistration.limit, at: "the top level")
            .enumerated()
        {
            let place = "\(key)[\(index)]"
            let object = try reader.object(value, place)
            let group = try group(object, at: place)
            if !identifiers.insert(group.identifier).inserted {
                throw reader.error(place, "id", "\"\(group.identifier)\" is there twice")
            }
            groups.append(group)
            omissions += ConfigurationOmission.inObject(object, at: place, except: ConfigurationKeys.ofGroups)
            for (index, value) in try reader.array(object, "subscriptions", most: ProductRegistration.limit, at: place)
                .enumerated()
            {
                let place = "\(place).subscriptions[\(index)]"
                try readSubscription(try reader.object(value, place), of: group, at: place)
            }
        }
    }

    private func group(_ object: [String: Any], at place: String) throws -> SubscriptionGroup {
        let identifier = try reader.identifier(object, "id", at: place)
        return SubscriptionGroup(
            bundleIdentifier: bundleIdentifier, identifier: SubscriptionGroupIdentifier(identifier),
            referenceName: try reader.optionalText(object, "name", at: place) ?? identifier,
            localizations: try localizations(of: object, at: place))
    }

    private mutating func readSubscription(
        _ object: [String: Any], of group: SubscriptionGroup, at place: String
    ) throws {
        var product = try product(object, of: Product.Kind.inGroups, at: place)
        product.plan = try plan(object, in: group, at: "\(place) (\(product.productIdentifier))")
        product.contactBonus = try reader.contactBonus(object, at: "\(place) (\(product.productIdentifier))")
        let (offers, omitted) = try reader.offers(object, at: "\(place) (\(product.productIdentifier))")
        product.offers = offers
        omissions += omitted
        try append(
            product, object, at: place,
            known: ConfigurationKeys.ofProducts.union(ConfigurationKeys.ofPlans).union(ConfigurationKeys.ofOffers))
    }

    private func plan(
        _ object: [String: Any], in group: SubscriptionGroup, at place: String
    ) throws -> Product.Plan {
        if let other = try reader.optionalText(object, "subscriptionGroupID", at: place),
            other != group.identifier.rawValue
        {
            throw reader.error(
                place, "subscriptionGroupID", "\"\(other)\" is another group than \"\(group.identifier)\", which has it"
            )
        }
        let level = try reader.wholeNumber(object, "groupNumber", at: place)
        guard level >= 1 else {
            throw reader.error(place, "groupNumber", "\(level) is no level of a group: the highest is 1")
        }
        let text = try reader.text(object, "recurringSubscriptionPeriod", at: place)
        guard let period = SubscriptionPeriod(iso8601: text), SubscriptionPeriod.renewable.contains(period) else {
            let allowed = SubscriptionPeriod.renewable.map(\.iso8601).joined(separator: ", ")
            throw reader.error(
                place, "recurringSubscriptionPeriod", "\"\(text)\" is no period of a subscription; use \(allowed)")
        }
        return Product.Plan(group: group.identifier, level: level, period: period)
    }
}
