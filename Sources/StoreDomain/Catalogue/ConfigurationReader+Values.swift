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

    /// A base price, or the price of a country.
    func milliunits(_ price: String, _ key: String, in country: String? = nil, at place: String) throws -> Int64 {
        do {
            guard let currency = country.flatMap(Storefront.named)?.currency else {
                return try Money.milliunits(of: price)
            }
            return try Money.milliunits(of: price, in: currency)
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
                let price = try text(prices, country, at: "\(place).prices")
                return (country, try milliunits(price, country, in: country, at: place))
            })
    }

    /// The language of a text, such as `en_US`: at most 35 bytes of letters, digits, `-` and `_`, as BCP 47 suggests for buffers.
    func locale(_ object: [String: Any], at place: String) throws -> String {
        let locale = try text(object, "locale", at: place)
        guard (1...35).contains(locale.utf8.count),
            locale.unicodeScalars.allSatisfy({
                $0 == "-" || $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
            })
        else { throw error(place, "locale", "\"\(locale.prefix(40))\" is no language, such as en_US") }
        return locale
    }

    /// The way in which the prices of the currencies follow from the base price; the same number in a file of Xcode.
    func pricing(_ object: [String: Any], at place: String) throws -> Pricing {
        guard let (terms, place) = try storeTerms(object, at: place),
            let name = try optionalText(terms, "pricing", at: place)
        else { return .sameNumber }
        guard let pricing = Pricing(name: name) else {
            throw error(place, "pricing", "\"\(name)\" is neither equalised nor a tier: A, B, Alt1 to Alt5")
        }
        return pricing
    }

    /// The storefronts in which a product isn't sold, which `storectl
    /// catalogue export` writes; `nil` when the file doesn't say it.
    func exclusions(_ object: [String: Any], at place: String) throws -> Set<String>? {
        guard let (terms, place) = try storeTerms(object, at: place), terms["notSoldIn"] != nil else { return nil }
        return Set(
            try array(terms, "notSoldIn", most: Storefront.all.count, at: place).map { value in
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
