// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Testing

/// The table of Apple's storefronts.
struct StorefrontTableTests {
    private func storefront(_ country: String) throws -> Storefront {
        try #require(Storefront.named(country))
    }

    @Test("All of Apple's 175 storefronts are there, each once")
    func complete() {
        let all = Storefront.all
        #expect(all.count == 175)
        #expect(Set(all.map(\.countryCode)).count == 175)
        #expect(Set(all.map(\.regionCode)).count == 175)
        #expect(Set(all.map(\.identifier)).count == 175)
        #expect(Set(all.map(\.name)).count == 175)
        #expect(all.map(\.countryCode) == all.map(\.countryCode).sorted())
        #expect(all.allSatisfy { Storefront.named($0.countryCode) == $0 })
    }

    @Test("Each storefront has codes, a number, a currency, languages and a name in their forms")
    func forms() {
        let locale = /[a-z]{2}(_[A-Z]{2}|_Han[st])?/
        for storefront in Storefront.all {
            #expect(storefront.countryCode.wholeMatch(of: /[A-Z]{3}/) != nil, "\(storefront)")
            #expect(storefront.regionCode.wholeMatch(of: /[A-Z]{2}/) != nil, "\(storefront)")
            #expect(storefront.identifier.wholeMatch(of: /143[0-9]{3}/) != nil, "\(storefront)")
            #expect(storefront.currency.wholeMatch(of: /[A-Z]{3}/) != nil, "\(storefront)")
            #expect(!storefront.languages.isEmpty, "\(storefront)")
            #expect(Set(storefront.languages).count == storefront.languages.count, "\(storefront)")
            #expect(storefront.languages.allSatisfy { $0.wholeMatch(of: locale) != nil }, "\(storefront)")
            #expect(!storefront.name.isEmpty && storefront.name.first != " ", "\(storefront)")
        }
    }

    @Test("The currencies and languages are as many as in Apple's store")
    func counts() {
        let currencies = Dictionary(grouping: Storefront.all, by: \.currency).mapValues(\.count)
        #expect(currencies.count == 43)
        #expect(currencies["USD"] == 109 && currencies["EUR"] == 25)
        #expect(currencies.values.filter { $0 == 1 }.count == 41)
        let defaults = Dictionary(grouping: Storefront.all) { $0.languages.first }.mapValues(\.count)
        #expect(defaults["en_GB"] == 135 && defaults["es_MX"] == 16 && defaults["fr_FR"] == 4)
        #expect(Storefront.all.filter { $0.languages.contains("en_GB") }.count == 172)
        #expect(Set(Storefront.all.flatMap(\.languages)).count == 50)
    }

    @Test("A storefront has the values of its line")
    func values() throws {
        let usa = Storefront.unitedStates
        #expect(usa.countryCode == "USA" && usa.regionCode == "US" && usa.name == "United States")
        #expect(usa.identifier == "143441" && usa.currency == "USD" && usa.languages.first == "en_US")
        let congo = try storefront("COD")
        #expect(congo.name == "Congo, Democratic Republic of the" && congo.languages == ["en_GB", "fr_FR"])
        #expect(try storefront("CIV").name == "Côte d'Ivoire")
        #expect(try storefront("BGR").currency == "EUR")
        #expect(try storefront("XKS").regionCode == "XK")
    }

    @Test(
        "Prices are written in the country's own language, with the store's currency",
        arguments: [
            ("USA", "en_US@currency=USD"), ("DEU", "de_DE@currency=EUR"), ("AUT", "de_AT@currency=EUR"),
            ("CHE", "de_CH@currency=CHF"), ("CHL", "es_CL@currency=CLP"), ("JPN", "ja_JP@currency=JPY"),
            ("BRA", "pt_BR@currency=BRL"), ("CHN", "zh_Hans_CN@currency=CNY"), ("TWN", "zh_Hant_TW@currency=TWD"),
            ("DNK", "da_DK@currency=DKK"), ("XKS", "en_XK@currency=EUR"), ("THA", "th_TH@currency=THB"),
            ("NOR", "nb_NO@currency=NOK"), ("GBR", "en_GB@currency=GBP"), ("SAU", "ar_SA@currency=SAR"),
        ])
    func priceLocale(country: String, expected: String) throws {
        #expect(try storefront(country).priceLocale == expected)
    }

    @Test(
        "There is no storefront of another country, and none by two letters",
        arguments: ["", "US", "usa", "XKX", "MCO"])
    func unknown(country: String) {
        #expect(Storefront.named(country) == nil)
    }

    @Test(
        "A customer without a matching language sees the storefront's languages in their order",
        arguments: [
            // Cyprus: en_GB, el, tr. Canada: en_CA, fr_CA. Hong Kong: zh_Hant, en_GB.
            ([], "CYP", ["tr", "el"], "el"), ([], "CYP", ["tr", "en_US"], "en_US"),
            (["ja"], "CYP", ["ru", "tr"], "tr"),
            (["de"], "CAN", ["fr_FR", "ja"], "fr_FR"), (["fr"], "CAN", ["en_US", "fr_FR"], "fr_FR"),
            ([], "HKG", ["zh_Hans", "zh_Hant"], "zh_Hant"), ([], "USA", ["ja", "vi", "ko"], "ko"),
            // None of the storefront's languages, then English, then any text.
            ([], "JPN", ["fr", "en_AU"], "en_AU"), ([], "MEX", ["ja", "ko"], "ja"),
        ])
    func languages(preferred: [String], country: String, offered: [String], expected: String) throws {
        let product = Product(
            bundleIdentifier: "b", productIdentifier: "p", kind: .consumable, referenceName: "Reference", milliunits: 1,
            localizations: offered.map { .init(locale: $0, title: $0, description: "") })

        let preference = LanguagePreference(preferred, in: try storefront(country))

        #expect(product.localization(for: preference).title == expected)
    }
}
