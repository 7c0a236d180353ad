// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreDomain

/// The templates of all languages.
struct TermsWordsTests {
    /// The names in braces of each text; those of a text that isn't here are
    /// none.
    private static let names: [String: [String]] = [
        "price": ["currency", "number"], "moment": ["day", "time"],
        "free": ["length"], "upFront": ["length", "price"], "eachPeriod": ["length", "rate"],
        "sequence": ["first", "second"], "offered": ["date", "offer", "rate"],
        "regular": ["rate"], "firstPeriod": ["end", "start"],
        "givenBack": ["price"], "begins": ["date"], "ownedUntil": ["date"], "renewal": ["page"],
        "contact": ["app", "end", "length"], "priceRises": ["date", "new", "old"],
        "one": ["count"], "other": ["count"], "rates": ["count", "price"],
    ]

    /// All texts by their names, with those of the units.
    private func texts(_ language: TermsLanguage) throws -> [(name: String, text: String)] {
        try Mirror(reflecting: language.words).children.flatMap { child in
            let name = try #require(child.label)
            if let text = child.value as? String { return [(name, text)] }
            let unit = try #require(child.value as? TermsWords.Unit, "\(name) is neither a text nor a unit")
            return [("one", unit.one), ("other", unit.other), ("rate", unit.rate), ("rates", unit.rates)]
        }
    }

    @Test("Every language has every text, with each of its names once", arguments: TermsLanguage.allCases)
    func names(language: TermsLanguage) throws {
        for (name, text) in try texts(language) {
            // "月額{price}" and "매월 {price}" have no count.
            let expected = name == "rate" ? ["price"] : Self.names[name] ?? []
            let found = text.matches(of: /\{([a-z]+)\}/).map { String($0.1) }.sorted()
            #expect(found == expected, "\(name): \(text)")
            let isWritten = name == "separator" || !text.isEmpty
            #expect(isWritten && text.filter { "{}".contains($0) }.count == 2 * expected.count, "\(name): \(text)")
            #expect(!text.hasSuffix("\n") && !text.contains("  "), "\(name): \(text)")
        }
    }

    @Test("Every sentence ends with a full stop", arguments: TermsLanguage.allCases)
    func fullStops(language: TermsLanguage) {
        let words = language.words
        for text in [
            words.offered, words.regular, words.firstPeriod, words.replaces, words.givenBack, words.begins,
            words.nothingNow, words.offerBegins, words.owned, words.ownedUntil, words.staysOn, words.turnedOn,
            words.renewal, words.contact, words.priceRises, words.endsUnlessAgreed,
        ] {
            #expect(text.hasSuffix(words.separator.isEmpty ? "。" : "."), "\(text)")
        }
    }

    @Test("No language has a text of another one")
    func distinct() {
        for text in [
            \TermsWords.renewal, \.replaces, \.nothingNow, \.contact, \.offered, \.staysOn, \.turnedOn, \.priceRises,
            \.endsUnlessAgreed,
        ] {
            #expect(Set(TermsLanguage.allCases.map { $0.words[keyPath: text] }).count == TermsLanguage.allCases.count)
        }
    }
}
