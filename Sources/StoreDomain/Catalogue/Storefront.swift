// SPDX-License-Identifier: Apache-2.0

/// A country's store, with the currency of its prices and the languages of
/// its texts.
///
/// All storefronts are in the table of Storefront+Table.swift, and nowhere
/// else.
package struct Storefront: Hashable, Sendable {
    /// Three letters as Apple writes them: ISO 3166-1 alpha-3, and `XKS` for
    /// Kosovo.
    package let countryCode: String
    /// Two letters: ISO 3166-1 alpha-2, and `XK` for Kosovo.
    package let regionCode: String
    /// The English name of the country.
    package let name: String
    /// Apple's number of the storefront.
    package let identifier: String
    /// ISO 4217. It is the currency of Apple's store there, which isn't the
    /// national one everywhere.
    package let currency: String
    /// The locales in which the store there shows texts, the default first,
    /// such as `de_DE` and `zh_Hans`.
    package let languages: [String]
    /// The locale for formatting prices: the country's own language as it is
    /// written there, with the currency (`th_TH@currency=THB`).
    package let priceLocale: String

    /// The storefront of a country; `nil` when there is none.
    package static func named(_ countryCode: String) -> Storefront? {
        byCountry[countryCode]
    }

    /// The storefront of a country.
    ///
    /// - Throws: ``DomainError`` `invalid` for a country without a
    ///   storefront.
    static func known(_ countryCode: String) throws -> Storefront {
        guard let storefront = named(countryCode) else {
            throw DomainError(
                .invalid,
                "There is no storefront \"\(countryCode)\": use a three-letter country code such as USA or DEU.")
        }
        return storefront
    }

    /// All storefronts, in the order of their country codes.
    package static let all = table.split(separator: "\n").map(Storefront.init(line:))

    /// The storefront of a device on which no account is signed in.
    package static let unitedStates: Storefront = {
        guard let storefront = named("USA") else { preconditionFailure("The table of storefronts lacks USA") }
        return storefront
    }()

    private static let byCountry = Dictionary(uniqueKeysWithValues: all.map { ($0.countryCode, $0) })

    /// Reads a line of the table.
    private init(line: Substring) {
        let words = line.split(separator: " ", maxSplits: 6).map(String.init)
        countryCode = words[0]
        regionCode = words[1]
        identifier = words[2]
        currency = words[3]
        languages = words[4].split(separator: ",").map(String.init)
        priceLocale = "\(words[5])_\(regionCode)@currency=\(currency)"
        name = words[6]
    }
}
