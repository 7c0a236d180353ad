// SPDX-License-Identifier: Apache-2.0

import Foundation

// Values of a configuration file that have a meaning.
extension ConfigurationReader {
    /// The largest number of bytes of an identifier, as in messages.
    private static let longestIdentifier = 255

    func identifier(_ object: [String: Any], _ key: String, at place: String) throws -> String {
        let identifier = try text(object, key, at: place)
        guard !identifier.allSatisfy(\.isWhitespace) else { throw error(place, key, "is empty") }
        guard identifier.utf8.count <= Self.longestIdentifier else {
            throw error(place, key, "is longer than \(Self.longestIdentifier) bytes")
        }
        return identifier
    }

    func milliunits(_ price: String, _ key: String, at place: String) throws -> Int64 {
        do {
            return try Money.milliunits(of: price)
        } catch let reason {
            throw error(place, key, "\"\(price)\" \(reason)")
        }
    }

    /// The prices of single storefronts, which `storectl catalogue export`
    /// writes; empty in a file of Xcode.
    func prices(_ object: [String: Any], at place: String) throws -> [String: Int64] {
        guard let (terms, place) = try storeTerms(object, at: place), terms["prices"] != nil else { return [:] }
        let prices = try self.object(terms["prices"] as Any, "\(place).prices")
        return try Dictionary(
            uniqueKeysWithValues: prices.keys.sorted().map { country in
                try check(country, "prices", at: place)
                return (country, try milliunits(try text(prices, country, at: "\(place).prices"), country, at: place))
            })
    }

    /// The storefronts in which a product isn't sold, which `storectl
    /// catalogue export` writes; `nil` when the file doesn't say it.
    func exclusions(_ object: [String: Any], at place: String) throws -> Set<String>? {
        guard let (terms, place) = try storeTerms(object, at: place), terms["notSoldIn"] != nil else { return nil }
        return Set(
            try array(terms, "notSoldIn", at: place).map { value in
                guard let country = value as? String else { throw error(place, "notSoldIn", "is no list of strings") }
                try check(country, "notSoldIn", at: place)
                return country
            })
    }

    /// The length by which the first period of a subscription is longer for a
    /// customer who shares a contact with the seller; `nil` when the file
    /// doesn't say it. Only files for this store have it.
    func contactBonus(_ object: [String: Any], at place: String) throws -> SubscriptionPeriod? {
        guard let (terms, place) = try storeTerms(object, at: place), let value = terms["sharesContact"],
            !(value is NSNull)
        else { return nil }
        let text = try text(try self.object(value, "\(place).sharesContact"), "bonus", at: "\(place).sharesContact")
        guard let bonus = SubscriptionPeriod(iso8601: text), bonus.isAtMostAYear else {
            throw error(
                place, "sharesContact.bonus", "\"\(text)\" is no length of at most a year; use one such as P1W or P1M")
        }
        return bonus
    }

    /// The object with the values that Xcode has no keys for, and its place.
    func storeTerms(_ object: [String: Any], at place: String) throws -> ([String: Any], String)? {
        let key = ConfigurationKeys.storeTerms
        guard let value = object[key], !(value is NSNull) else { return nil }
        return (try self.object(value, "\(place).\(key)"), "\(place).\(key)")
    }

    /// Refuses a bonus of a product without periods.
    func refuseContactBonus(_ object: [String: Any], at place: String) throws {
        guard try contactBonus(object, at: place) == nil else {
            throw error(place, "sharesContact", "only an auto-renewable subscription can have it")
        }
    }

    private func check(_ country: String, _ key: String, at place: String) throws {
        guard Storefront.named(country) != nil else {
            throw error(place, key, "\"\(country)\" is no storefront: use three-letter codes such as USA or DEU")
        }
    }
}
