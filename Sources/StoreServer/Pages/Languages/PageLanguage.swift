// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import StoreDomain

/// A language of the store's pages. The raw value is that of the attribute
/// `lang` (BCP 47).
enum PageLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"

    /// The language that a reader prefers among these. Others are skipped.
    init(_ preference: LanguagePreference) {
        self = Self.first(of: preference.locales) ?? .english
    }

    /// The language of a page for an account, or before the sign-in for a
    /// browser.
    init(_ request: Hummingbird.Request, of account: Account? = nil) {
        let languages = request.languages(of: account)
        self =
            account.map { Self(LanguagePreference(languages, in: $0.storefront)) } ?? Self.first(of: languages)
            ?? .english
    }

    private static func first(of locales: [String]) -> PageLanguage? {
        locales.lazy.compactMap { locale in
            locale.lowercased().split { $0 == "_" || $0 == "-" }.first.flatMap { Self(rawValue: String($0)) }
        }.first
    }

    /// The language of the terms, which have the form of numbers, prices and
    /// dates.
    var terms: TermsLanguage {
        switch self {
        case .english: .english
        case .german: .german
        case .french: .french
        }
    }

    /// The value of the attribute `dir`.
    var direction: String {
        Locale.Language(identifier: rawValue).characterDirection == .rightToLeft ? "rtl" : "ltr"
    }
}
