// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// The names of the storefronts' countries in the languages of the pages.
enum StorefrontNames {
    private static let choices = Dictionary(
        uniqueKeysWithValues: PageLanguage.allCases.map { language in (language, sorted(in: language)) })

    /// The choices of a storefront, by their names.
    static func options(in language: PageLanguage) -> [ConsoleOption] { choices[language] ?? [] }

    /// The name with the code, such as `Germany (DEU)`.
    static func name(_ storefront: Storefront, in language: PageLanguage) -> String {
        let locale = Locale(identifier: language.rawValue)
        let name = locale.localizedString(forRegionCode: storefront.regionCode) ?? storefront.name
        return "\(name) (\(storefront.countryCode))"
    }

    private static func sorted(in language: PageLanguage) -> [ConsoleOption] {
        let locale = Locale(identifier: language.rawValue)
        return Storefront.all.map { ConsoleOption($0.countryCode, name($0, in: language)) }.sorted { one, other in
            one.label.compare(other.label, options: [.caseInsensitive, .diacriticInsensitive], locale: locale)
                == .orderedAscending
        }
    }
}
