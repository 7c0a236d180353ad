// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import Testing

/// Reading Xcode's configuration files, and naming the place of an error.
struct StoreKitConfigurationTests {
    private func read(_ json: String) throws -> StoreKitConfigurationFile {
        try StoreKitConfigurationFile(Data(json.utf8), file: "shop.storekit", bundleIdentifier: "com.example.shop")
    }

    private func product(
        _ identifier: String = "apple", type: String = "NonConsumable", price: String = "\"0.99\""
    ) -> String {
        """
        { "productID": "\(identifier)", "type": "\(type)", "displayPrice": \(price), "familyShareable": true,
          "referenceName": null, "localizations": [
            { "locale": "en_US", "displayName": "Apple", "description": "Red" } ] }
        """
    }

    @Test("A configuration's products and non-renewing subscriptions are read")
    func readsProductsAndNonRenewingSubscriptions() throws {
        let configuration = try read(
            """
            { "products": [\(product())], "nonRenewingSubscriptions": [
              \(product("year", type: "NonRenewingSubscription", price: "\"10\""))] }
            """)

        #expect(configuration.products.map(\.productIdentifier) == ["apple", "year"])
        #expect(configuration.products.map(\.milliunits) == [990, 10000])
        #expect(configuration.products.map(\.kind) == [.nonConsumable, .nonRenewing])
        #expect(configuration.products.map(\.plan) == [nil, nil])
        #expect(configuration.products[0].isFamilyShareable)
        #expect(configuration.products[0].referenceName == "apple")
        #expect(configuration.hasGracePeriod == nil && configuration.exclusions.isEmpty)
    }

    @Test("Offers, settings, texts of the app and unknown keys have a line each")
    func withoutEffect() throws {
        let configuration = try read(
            """
            { "appPolicies": { "eula": "", "policies": [{ "locale": "en_US", "policyText": "Ours", "policyURL": "" }] },
              "identifier": "1", "version": { "major": 4, "minor": 0 }, "wonders": [7],
              "products": [
                { "productID": "apple", "type": "Consumable", "displayPrice": "1", "internalID": "2",
                  "codeOffers": [{ "referenceName": "fall", "displayPrice": "0.5", "eligibility": ["NON_SPENDER"] }],
                  "_storeFrontOverrides": { "DEU": "2" } }],
              "settings": { "_askToBuyEnabled": true, "_storefront": "DEU", "_timeRate": 6,
                "_billingGracePeriodEnabled": true,
                "_storeKitErrors": [{ "enabled": true, "name": "Purchase", "current": null }] },
              "subscriptionGroups": [{ "id": "g", "name": "Metals", "rank": 1, "subscriptions": [
                { "productID": "gold", "type": "RecurringSubscription", "displayPrice": "9", "groupNumber": 1,
                  "recurringSubscriptionPeriod": "P1M", "subscriptionGroupID": "g", "internalID": "3",
                  "adHocOffers": [{ "offerID": "a", "paymentMode": "free", "subscriptionPeriod": "P1W",
                    "billingPlanType": "MONTHLY" }], "billingPlans": [{ "isEnabled": true }],
                  "codeOffers": [
                    { "referenceName": "c", "paymentMode": "free", "subscriptionPeriod": "P1W" },
                    { "referenceName": "c", "paymentMode": "free", "subscriptionPeriod": "P2W" }],
                  "introductoryOffers": [
                    { "paymentMode": "free", "subscriptionPeriod": "P1W", "billingPlanType": "MONTHLY" },
                    { "paymentMode": "free", "subscriptionPeriod": "P1W" },
                    { "paymentMode": "free", "subscriptionPeriod": "P2W" }],
                  "winbackOffers": [{ "offerID": "w", "paymentMode": "free", "subscriptionPeriod": "P1W",
                    "billingPlanType": "MONTHLY" }] }] }],
              "subscriptionOffersKeyPair": { "id": "3", "privateKey": "" } }
            """)

        let gold = "subscriptionGroups[0].subscriptions[0] (gold)"
        #expect(
            configuration.omissions.map(\.place) == [
                "products[0] (apple).codeOffers[0].eligibility", "products[0] (apple)._storeFrontOverrides",
                "subscriptionGroups[0].rank", "\(gold).introductoryOffers[2]", "\(gold).codeOffers[1]",
                "\(gold).introductoryOffers[0]", "\(gold).adHocOffers[0]", "\(gold).winbackOffers[0]",
                "\(gold).billingPlans", "appPolicies", "wonders", "settings._askToBuyEnabled",
                "settings._storeKitErrors", "settings._storefront", "settings._timeRate",
            ])
        #expect(configuration.omissions.allSatisfy { !$0.reason.isEmpty })
        #expect(
            configuration.omissions.last?.line(of: "shop.storekit")
                == "shop.storekit: settings._timeRate: this setting has no effect in a served store.")
    }

    @Test("Empty lists and texts and the usual settings, as Xcode writes them, have no line")
    func emptyParts() throws {
        let configuration = try read(
            """
            { "appPolicies": { "eula": "", "policies": [{ "locale": "en_US", "policyText": "", "policyURL": "" }] },
              "identifier": "6073E9A3", "nonRenewingSubscriptions": [], "products": [\(product())],
              "settings": { "_failTransactionsEnabled": false, "_locale": "en_US", "_storefront": "USA",
                "_storeKitError": 0, "_timeRate": 0, "_applicationUsername": null,
                "_storeKitErrors": [{ "current": { "index": 2 }, "enabled": false, "name": "Load Products" }] },
              "subscriptionGroups": [{ "id": "1", "localizations": [], "name": "None", "subscriptions": [] }],
              "version": { "major": 4, "minor": 0 } }
            """)

        #expect(configuration.omissions.isEmpty, "\(configuration.omissions)")
    }

    @Test("A configuration keeps its bytes and their checksum")
    func keepsItsContents() throws {
        let configuration = try read("{}")
        #expect(configuration.contents == Data("{}".utf8) && configuration.name == "shop.storekit")
        #expect(configuration.checksum == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a")
    }

    @Test("A file that is too large is refused with its size")
    func tooLarge() throws {
        let error = try #require(throws: DomainError.self) {
            try StoreKitConfigurationFile(
                Data(count: StoreKitConfigurationFile.largest + 1), file: "shop.storekit", bundleIdentifier: "b")
        }
        #expect(error.code == .configuration && error.message.contains("67108865 bytes"), "\(error.message)")
    }

    @Test("An empty configuration has no products") func readsAnEmptyConfiguration() throws {
        #expect(try read("{}").products.isEmpty)
        #expect(try read("{\"products\": null}").products.isEmpty)
    }

    @Test("A product's identifier may be as long as a message can carry it")
    func longestIdentifier() throws {
        let longest = String(repeating: "a", count: AppText.bytes.upperBound)

        let configuration = try read("{ \"products\": [\(product(longest))] }")

        #expect(configuration.products.map(\.productIdentifier.rawValue) == [longest])
        let longer = product(longest + "a")
        let error = try #require(throws: DomainError.self) { try read("{ \"products\": [\(longer)] }") }
        #expect(error.code == .configuration && error.message.contains("longer than"))
    }

    @Test(
        "A wrong file is refused with its name, the place and the key",
        arguments: [
            ("products", ["shop.storekit", "not JSON"]),
            ("[]", ["shop.storekit", "top level"]),
            ("{\"products\": {}}", ["products", "not a list"]),
            ("{\"products\": [3]}", ["products[0]", "not an object"]),
            ("{\"products\": [{}]}", ["products[0]", "productID", "missing"]),
            ("{\"products\": [PRODUCT]}", ["products[0] (gem)", "type", "\"Gem\" is no product type"]),
            ("{\"products\": [EMPTY]}", ["products[0]", "productID", "is empty"]),
            ("{\"products\": [BLANK]}", ["products[0]", "productID", "is empty"]),
            ("{\"products\": [TWICE]}", ["products[1]", "\"apple\" is there twice"]),
            ("{\"products\": [PRICE]}", ["products[0] (apple)", "displayPrice", "\"one\" is no decimal"]),
            ("{\"products\": [NUMBER]}", ["products[0] (apple)", "displayPrice", "not a string"]),
            ("{\"products\": [NEGATIVE]}", ["products[0] (apple)", "displayPrice", "\"-1\" is less than 0"]),
            ("{\"products\": [HUGE]}", ["products[0] (apple)", "displayPrice", "is more than 999999999999.999"]),
        ])
    func wrongFile(json: String, words: [String]) throws {
        let text =
            json
            .replacing("PRODUCT", with: product("gem", type: "Gem"))
            .replacing("EMPTY", with: product(""))
            .replacing("BLANK", with: product(" "))
            .replacing("TWICE", with: product() + "," + product())
            .replacing("PRICE", with: product(price: "\"one\""))
            .replacing("NUMBER", with: product(price: "1"))
            .replacing("NEGATIVE", with: product(price: "\"-1\""))
            .replacing("HUGE", with: product(price: "\"9999999999999\""))

        let error = try #require(throws: DomainError.self) { try read(text) }

        #expect(error.code == .configuration)
        for word in words { #expect(error.message.contains(word), "\(error.message)") }
    }
}

struct MoneyTests {
    @Test(
        "Decimals become thousandths exactly",
        arguments: [
            ("0.99", 990), ("10", 10000), ("0", 0), ("200.5", 200500), ("1.999", 1999), ("1.9990", 1999),
            ("999999999999.999", 999_999_999_999_999),
        ] as [(String, Int64)])
    func decimal(text: String, milliunits: Int64) throws {
        #expect(try Money.milliunits(of: text) == milliunits)
    }

    @Test(
        "A text that isn't a price is refused with the reason",
        arguments: [
            ("", .malformed), (".", .malformed), ("1.", .malformed), (".5", .malformed), ("+1", .malformed),
            ("1,99", .malformed), ("0x10", .malformed), ("1e3", .malformed), ("1 ", .malformed), ("٣", .malformed),
            ("1.2.3", .malformed), ("-", .malformed), ("--1", .malformed), ("-1", .negative), ("-0.99", .negative),
            ("1.9991", .tooPrecise), ("9999999999999", .tooLarge), ("99999999999999999999", .tooLarge),
        ] as [(String, Money.DecimalError)])
    func noDecimal(text: String, reason: Money.DecimalError) {
        #expect(throws: reason) { try Money.milliunits(of: text) }
    }

    @Test("Money is written as a decimal with two places or more") func isWrittenAsADecimal() {
        #expect(Money(milliunits: 990, currency: "USD").decimal == "0.99")
        #expect(Money(milliunits: 10000, currency: "USD").decimal == "10.00")
        #expect(Money(milliunits: 125, currency: "KWD").decimal == "0.125")
    }

    @Test("A multiple of money that overflows is nil") func refusesWhatCantBeCounted() {
        #expect(Money(milliunits: .max, currency: "USD").times(2) == nil)
    }
}

struct ProductLocalizationTests {
    private let product = Product(
        bundleIdentifier: "b", productIdentifier: "p", kind: .consumable, referenceName: "Reference", milliunits: 1,
        localizations: ["de_DE", "en_GB", "fr"].map { .init(locale: $0, title: $0, description: "") })

    @Test(
        "The customer's languages come first, then the storefront's, then English",
        arguments: [
            (["fr_FR"], "USA", "fr"), (["de"], "USA", "de_DE"), (["de-AT"], "USA", "de_DE"), (["ja"], "DEU", "de_DE"),
            ([], "JPN", "en_GB"), (["ja", "fr"], "DEU", "fr"), (["en_GB.UTF-8"], "DEU", "en_GB"),
        ])
    func best(languages: [String], country: String, expected: String) throws {
        let storefront = try #require(Storefront.named(country))

        #expect(product.localization(for: LanguagePreference(languages, in: storefront)).title == expected)
    }

    @Test("A product without localizations has its reference name as its title")
    func aProductWithoutTextsHasItsReferenceName() {
        var bare = product
        bare.localizations = []
        #expect(bare.localization(for: LanguagePreference(["en"], in: .unitedStates)).title == "Reference")
    }

    @Test(
        "The lists of a file have limits, which its error names", arguments: ["localizations", "products", "notSoldIn"])
    func longLists(key: String) {
        let texts = (0..<51).map { #"{"locale": "l\#($0)", "displayName": "A", "description": "B"}"# }
        let product = #"{"productID": "a", "type": "Consumable", "displayPrice": "1", "localizations": [LIST]}"#
        let contents =
            switch key {
            case "localizations":
                #"{"products": [\#(product.replacing("LIST", with: texts.joined(separator: ",")))]}"#
            case "products": #"{"products": [\#(Array(repeating: "{}", count: 10_001).joined(separator: ","))]}"#
            default:
                #"{"products": [{"productID": "a", "type": "Consumable", "displayPrice": "1", "_openStoreKit": "#
                    + #"{"notSoldIn": [\#(Array(repeating: #""USA""#, count: 176).joined(separator: ","))]}}]}"#
            }
        let error = #expect(throws: DomainError.self) {
            try StoreKitConfigurationFile(
                Data(contents.utf8), file: "shop.storekit", bundleIdentifier: "com.example.shop")
        }
        #expect(error?.message.contains("\(key): has ") == true, "\(error?.message ?? "")")
    }

    @Test(
        "An error about a long value has a part of it",
        arguments: [String(repeating: "x", count: 100_000), "a" + String(repeating: "\u{301}", count: 100_000)])
    func longValue(value: String) {
        let contents = #"{"products": [{"productID": "a", "type": "\#(value)", "displayPrice": "1"}]}"#
        let error = #expect(throws: DomainError.self) {
            try StoreKitConfigurationFile(
                Data(contents.utf8), file: "shop.storekit", bundleIdentifier: "com.example.shop")
        }
        #expect(error?.message.contains("type") == true && (error?.message.utf8.count ?? .max) < 2000)
    }
}
