// SPDX-License-Identifier: Apache-2.0

/// The order in which a customer prefers languages, prepared once for all
/// products of a request.
package struct LanguagePreference: Hashable, Sendable {
    /// A locale in parts: `de` and `de_DE`.
    private struct Wanted: Hashable {
        var language: Substring
        var whole: String

        init(_ locale: String) {
            let plain = locale.utf8.prefix { $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: ".") }
            let bytes = plain.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
            whole = String(decoding: bytes, as: UTF8.self)
            language = whole.prefix { $0 != "_" }
        }
    }

    private let wanted: [Wanted]

    /// Prefers the customer's languages, best first, then the storefront's in
    /// their order, then English.
    package init(_ languages: [String], in storefront: Storefront) {
        wanted = (languages + storefront.languages + ["en_US"]).map(Wanted.init)
    }

    /// The locales in order, such as `de_CH`; English is the last.
    package var locales: [String] { wanted.map(\.whole) }

    /// The text in the most preferred language: in exactly that locale, or
    /// else in another region's. Returns any text when none matches; `nil`
    /// without texts.
    func best(of localizations: [Product.Localization]) -> Product.Localization? {
        guard localizations.count > 1 else { return localizations.first }
        let offered = localizations.map { Wanted($0.locale) }
        for wanted in wanted {
            let exact = offered.firstIndex { $0.whole == wanted.whole }
            if let found = exact ?? offered.firstIndex(where: { $0.language == wanted.language }) {
                return localizations[found]
            }
        }
        return localizations.first
    }
}
