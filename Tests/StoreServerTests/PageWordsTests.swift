// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The texts of all pages in all languages.
struct PageWordsTests {
    /// Every type of texts in a language, by its name.
    private static func all(_ language: PageLanguage) -> [String: any PageWords] {
        [
            "frame": FrameWords.words(language), "place": PlaceWords.words(language),
            "failure": FailureWords.words(language), "sheet": SheetWords.words(language),
            "outcome": OutcomeWords.words(language), "subscription": SubscriptionWords.words(language),
            "bank": BankWords.words(language), "purchase": PurchaseWords.words(language),
            "settings": SettingsWords.words(language), "devices": DevicesWords.words(language),
            "sessions": SessionsWords.words(language), "password": PasswordWords.words(language),
            "email": EmailWords.words(language), "deletion": DeletionWords.words(language),
            "link": LinkWords.words(language), "family": FamilyWords.words(language),
            "payment": PaymentWords.words(language), "item": ItemWords.words(language),
            "console": ConsoleWords.words(language), "field": FieldWords.words(language),
            "role": RoleWords.words(language), "team": TeamWords.words(language), "join": JoinWords.words(language),
            "own": OwnWords.words(language), "log": LogWords.words(language), "key": KeyWords.words(language),
            "problem": ProblemWords.words(language),
            "address": AddressWords.words(language), "secret": SecretWords.words(language),
            "app": AppWords.words(language), "product": ProductWords.words(language),
            "image": ImageWords.words(language), "agreement": AgreementWords.words(language),
            "file": FileWords.words(language), "value": ValueWords.words(language),
            "table": TableWords.words(language), "offer": OfferWords.words(language),
            "code": CodeWords.words(language), "contact": ContactWords.words(language),
            "price": PriceWords.words(language),
            "transaction": TransactionWords.words(language), "record": RecordWords.words(language),
            "event": EventWords.words(language), "tester": TesterWords.words(language),
            "review": ReviewWords.words(language), "team item": TeamItemWords.words(language),
            "store page": StorePageWords.words(language),
            "content": ContentWords.words(language),
            "live": LiveWords.words(language),
            "checklist": ChecklistWords.words(language), "sort": SortWords.words(language),
        ]
    }

    /// All texts by their names, with those of an outcome.
    private static func texts(_ words: Any, _ prefix: String) -> [String: String] {
        Mirror(reflecting: words).children.reduce(into: [:]) { found, child in
            let name = "\(prefix).\(child.label ?? "")"
            if let text = child.value as? String {
                found[name] = text
            } else if let kinds = child.value as? [TeamChange.Kind: String] {
                for (kind, text) in kinds { found["\(name).\(kind.rawValue)"] = text }
            } else {
                found.merge(texts(child.value, name)) { first, _ in first }
            }
        }
    }

    private static func names(_ text: String) -> [String] {
        text.matches(of: /\{([A-Za-z]+)\}/).map { String($0.1) }.sorted()
    }

    @Test("Each kind of a team's changes has its words in each language", arguments: PageLanguage.allCases)
    func kinds(language: PageLanguage) {
        #expect(Set(LogWords.words(language).kinds.keys) == Set(TeamChange.Kind.all))
        #expect(Set(TeamChange.Kind.all).count == TeamChange.Kind.all.count)
    }

    @Test("A text has the same names in braces in every language, and no other braces")
    func names() {
        for (kind, english) in Self.all(.english) {
            let originals = Self.texts(english, kind)
            for language in PageLanguage.allCases {
                let texts = Self.all(language)[kind].map { Self.texts($0, kind) } ?? [:]
                #expect(texts.keys.sorted() == originals.keys.sorted(), "\(language) of \(kind)")
                for (name, text) in texts {
                    let names = Self.names(text)
                    #expect(names == originals[name].map(Self.names), "\(name) in \(language): \(text)")
                    #expect(text.filter { "{}".contains($0) }.count == 2 * names.count, "\(name): \(text)")
                    #expect(!text.isEmpty && !text.contains("  ") && !text.hasSuffix("\n"), "\(name): \(text)")
                }
            }
        }
    }

    @Test("Sentences are translated: no sentence is the same in two languages")
    func distinct() {
        for (kind, english) in Self.all(.english) {
            let originals = Self.texts(english, kind)
            for language in PageLanguage.allCases where language != .english {
                let texts = Self.all(language)[kind].map { Self.texts($0, kind) } ?? [:]
                for (name, text) in texts {
                    guard let original = originals[name], original.split(separator: " ").count > 2 else { continue }
                    #expect(text != original || original.hasPrefix("{"), "\(name) in \(language): \(text)")
                }
            }
        }
    }

    @Test("The browser chooses the language before the sign-in, and the first one that the pages have")
    func preference() throws {
        let germany = try #require(Storefront.named("DEU"))
        let usa = try #require(Storefront.named("USA"))
        #expect(PageLanguage(LanguagePreference(["es", "fr_CA"], in: germany)) == .french)
        #expect(PageLanguage(LanguagePreference([], in: germany)) == .german)
        #expect(PageLanguage(LanguagePreference(["xx"], in: usa)) == .english)
        #expect(PageLanguage.allCases.map(\.direction) == ["ltr", "ltr", "ltr"])
    }

    @Test("Prices, numbers and dates have the form of the language")
    func formats() {
        let money = Money(milliunits: 1_234_500, currency: "EUR")
        let moment = StoreTime(milliseconds: 1_767_225_600_000)
        #expect(PageLanguage.english.price(money) == "€1,234.50")
        #expect(PageLanguage.german.price(money) == "1.234,50 €")
        #expect(PageLanguage.german.number(12_345) == "12.345")
        #expect(PageLanguage.english.date(moment) == "1 January 2026, 00:00 UTC")
        #expect(PageLanguage.german.date(moment) == "1. Januar 2026 um 00:00 Uhr (UTC)")
        #expect(PageLanguage.french.date(moment).hasPrefix("1er janvier 2026"))
        let second = WallTime(milliseconds: moment.milliseconds + 6300)
        #expect(PageLanguage.english.moment(second) == "1 January 2026, 00:00 UTC, 6.3 s")
        #expect(PageLanguage.french.moment(second).hasSuffix(", 6,3 s"))
        #expect(PageLanguage.english.labelled("Payment", "apple") == "Payment: apple")
        #expect(PageLanguage.french.labelled("Paiement", "apple") == "Paiement\u{00A0}: apple")
    }

    @Test("A name in a sentence is isolated from its direction")
    func isolation() {
        let text = SheetWords.german.fill(\.leadSignIn, ["app": "فاكهة".isolated])
        #expect(text.hasPrefix("\u{2068}فاكهة\u{2069} fragt"))
    }

    @Test("A failure has a sentence in the page's language, or its English one behind a general sentence")
    func failures() {
        let wrong = PageMessage(.init(.wrongPassword, "The password is wrong."), in: .german)
        #expect(wrong.text == "Der Account oder das Passwort fehlt oder ist falsch." && wrong.original == nil)
        let other = PageMessage(.init(.invalid, "A text is too long."), in: .french)
        #expect(other.text == "Cela n’a pas fonctionné." && other.original == "A text is too long.")
        let paused = PageMessage(.init(.throttled, "Wait.", retryAfter: 30), in: .german)
        #expect(paused.text.contains("in 30 s"))
        #expect(PageMessage(.init(.declined, "Declined: no money."), in: .english).text == "Declined: no money.")
    }
}
