// SPDX-License-Identifier: Apache-2.0

/// A language in which the store says the terms of a subscription. The raw
/// value is that of the attribute `lang` (BCP 47).
package enum TermsLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case italian = "it"
    case portuguese = "pt"
    case dutch = "nl"
    case japanese = "ja"
    case simplifiedChinese = "zh-Hans"
    case korean = "ko"

    /// The language that a customer prefers among these. Others are skipped.
    package init(_ preference: LanguagePreference) {
        self = preference.locales.lazy.compactMap(Self.init(locale:)).first ?? .english
    }

    /// The language of a locale such as `de_CH`; `nil` for one that isn't
    /// among these, such as traditional Chinese.
    private init?(locale: String) {
        let parts = locale.lowercased().split(separator: "_").map(String.init)
        guard let language = parts.first else { return nil }
        if language == "zh" {
            let isTraditional = parts.contains("hant") || !Set(parts).isDisjoint(with: ["tw", "hk", "mo"])
            guard !isTraditional || parts.contains("hans") else { return nil }
            self = .simplifiedChinese
        } else {
            self.init(rawValue: language)
        }
    }

    /// The sentences and words of the language.
    var words: TermsWords {
        switch self {
        case .english: .english
        case .german: .german
        case .french: .french
        case .spanish: .spanish
        case .italian: .italian
        case .portuguese: .portuguese
        case .dutch: .dutch
        case .japanese: .japanese
        case .simplifiedChinese: .simplifiedChinese
        case .korean: .korean
        }
    }

    /// The name of the page on which customers cancel, as the page has it in its
    /// languages.
    package var subscriptionsPage: String {
        switch self {
        case .german: "Abonnements verwalten"
        case .french: "Gérer les abonnements"
        case .english, .spanish, .italian, .portuguese, .dutch, .japanese, .simplifiedChinese, .korean:
            "Manage subscriptions"
        }
    }
}
