// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The prices of the App Store's 43 currencies.
struct PriceTierTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)
    private static let currencies = Set(Storefront.all.map(\.currency)).sorted()

    private func product(_ pricing: Pricing, _ milliunits: Int64) -> Product {
        var product = Product(
            bundleIdentifier: Self.app, productIdentifier: "a", kind: .consumable, referenceName: "A",
            milliunits: milliunits, localizations: [])
        product.pricing = pricing
        return product
    }

    private func price(_ product: Product, _ country: String) throws -> String {
        let price = product.price(in: try #require(Storefront.named(country)))
        return "\(price.decimal) \(price.currency)"
    }

    @Test("The table has 95 tiers, each with a price in the currency of every storefront")
    func table() {
        #expect(PriceTier.all.count == 95 && Self.currencies.count == 43)
        #expect(PriceTier.all.allSatisfy { $0.prices.keys.sorted() == Self.currencies })
        #expect(PriceTable.points.keys.sorted() == Self.currencies)
        #expect(PriceTable.points.values.allSatisfy { $0 == $0.sorted() && $0.count >= 800 })
        #expect(PriceTier.all.filter(\.isAlternate).map(\.name) == ["A", "B", "Alt1", "Alt2", "Alt3", "Alt4", "Alt5"])
    }

    @Test(
        "Each price of a tier and of a point is an amount that its currency has, and each price of a tier is a point",
        arguments: currencies)
    func amounts(currency: String) {
        let points = PriceTable.points[currency] ?? []
        #expect(points.allSatisfy { Money(milliunits: $0, currency: currency).isWhole })
        let tiers = PriceTier.all.compactMap { $0.prices[currency] }
        #expect(tiers.allSatisfy { $0 == 0 || points.contains($0) })
    }

    @Test(
        "A product of a tier costs the tier's price in each storefront",
        arguments: [
            ("1", "USA", "0.99 USD"), ("1", "DEU", "0.99 EUR"), ("1", "GBR", "0.89 GBP"), ("1", "JPN", "160 JPY"),
            ("1", "KOR", "1500 KRW"), ("1", "CHL", "1100 CLP"), ("1", "THA", "35.00 THB"), ("1", "VNM", "25000 VND"),
            ("10", "CHE", "10.00 CHF"), ("87", "KOR", "1490000 KRW"), ("0", "KOR", "0 KRW"),
        ])
    func tier(number: String, country: String, expected: String) throws {
        var product = product(.sameNumber, 5000)
        product.set(try #require(PriceTier.numbered(number)))
        #expect(try price(product, country) == expected)
        #expect(PriceTier.of(product)?.name == number)
    }

    @Test(
        "An alternate tier has the price of another one in USD, and lower ones elsewhere, until the base price changes")
    func alternates() throws {
        var product = product(.equalised, 0)
        product.set(try #require(PriceTier.numbered("510")))
        #expect(try price(product, "USA") == "0.99 USD" && PriceTier.of(product)?.name == "A")
        let (own, usual) = (try #require(PriceTier.numbered("510")), try #require(PriceTier.numbered("1")))
        #expect(Self.currencies.contains { (own.prices[$0] ?? 0) < (usual.prices[$0] ?? 0) })
        for storefront in Storefront.all {
            #expect(product.price(in: storefront).milliunits == own.prices[storefront.currency])
        }
        product.setBase(1990)
        #expect(product.pricing == .equalised && PriceTier.of(product)?.name == "2")
    }

    @Test("A base price between two tiers has the nearest price points, which lie between the tiers' prices")
    func between() throws {
        let product = product(.equalised, 1490)
        #expect(PriceTier.of(product) == nil)
        #expect(try price(product, "JPN") == "240 JPY" && price(product, "USA") == "1.49 USD")
        let (low, high) = (try #require(PriceTier.numbered("1")), try #require(PriceTier.numbered("2")))
        for storefront in Storefront.all where storefront.currency != "USD" {
            let price = product.price(in: storefront).milliunits
            let (from, to) = (low.prices[storefront.currency] ?? 0, high.prices[storefront.currency] ?? 0)
            #expect((from...to).contains(price), "\(storefront.currency) \(price) isn't from \(from) to \(to)")
            #expect(PriceTable.points[storefront.currency]?.contains(price) == true)
        }
    }

    @Test("Each base price above 0 costs something in each currency, also the lowest and one above the highest point")
    func extremes() throws {
        for base: Int64 in [10, 290, 490, 999_990, 1_000_000, 4_999_990, 999_999_999_999_990] {
            for storefront in Storefront.all {
                let price = product(.equalised, base).price(in: storefront)
                #expect(price.milliunits > 0 && price.isWhole, "\(base) is \(price) in \(storefront.countryCode)")
            }
        }
        #expect(try price(product(.equalised, 9_999_900), "KOR") == "14900000 KRW")
    }

    @Test("The same number is rounded where a currency has no such amount, and never to nothing")
    func rounded() throws {
        #expect(try price(product(.sameNumber, 990), "KOR") == "1 KRW")
        #expect(try price(product(.sameNumber, 490), "JPN") == "1 JPY")
        #expect(try price(product(.sameNumber, 1490), "CHL") == "1 CLP")
        #expect(try price(product(.sameNumber, 1500), "CHL") == "2 CLP")
        #expect(try price(product(.sameNumber, 125), "DEU") == "0.13 EUR")
        #expect(try price(product(.sameNumber, 0), "KOR") == "0 KRW")
    }

    @Test("A customer is charged the tier's price in the currency of the storefront", arguments: Engine.stores)
    func charged(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.registerProduct("banana", values: TestStore.productValues(tier: "1"), by: holder)
            for (number, country, price) in [(1, "KOR", 1_500_000), (2, "THA", 35_000), (3, "USA", 990)]
                as [(UInt8, String, Int64)]
            {
                let account = try await store.addAccount("\(country.lowercased())@example.com", storefront: country)
                let device = try await store.addDevice(number)
                try await device.signIn(account)
                try await device.buy("banana", request: "r1", as: account)
                #expect(try await store.amounts(of: account.identifier) == [price])
                // The seed's product of a file has one number.
                try await device.buy("apple", request: "r2", as: account)
                let amounts = try await store.amounts(of: account.identifier)
                #expect(amounts.sorted() == [price, country == "KOR" ? 1000 : 990].sorted())
            }
        }
    }

    @Test("Each way to set a price refuses decimals of a currency that has none", arguments: Engine.stores)
    func refused(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            await #expect(throws: DomainError(.invalid, "")) {
                try await store.service.setPrice(product: "apple", of: Self.app, in: "KOR", to: "1500.50")
            }
            try await store.service.setPrice(product: "apple", of: Self.app, in: "KOR", to: "1500.00")
            var values = TestStore.productValues()
            values.otherPrices = "KOR 1500.5"
            let refused = await #expect(throws: InvalidFields.self) {
                try await store.registerProduct("banana", values: values, by: holder)
            }
            #expect(refused?.problems.map(\.field) == ["prices"])
            values.otherPrices = "KOR 1600"
            let made = try await store.registerProduct("banana", values: values, by: holder)
            #expect(made.product.ownPrices == "KOR 1600" && PriceTier.of(made.product)?.number == 1)
        }
    }

    @Test(
        "A file keeps its one number in every currency, and says that it is rounded; a price of a country must be one")
    func file() throws {
        func read(_ terms: String) throws -> StoreKitConfigurationFile {
            try StoreKitConfigurationFile(
                Data(
                    """
                    {"products": [{"productID": "a", "type": "Consumable", "displayPrice": "0.99",
                        "_openStoreKit": {\(terms)}}]}
                    """.utf8), file: "shop.storekit", bundleIdentifier: Self.app)
        }
        let plain = try read("")
        #expect(plain.products[0].pricing == .sameNumber)
        #expect(
            plain.remarks == [
                "shop.storekit: prices are the same number in each currency, rounded in those without decimals "
                    + "(CLP, HUF, IDR, JPY, KRW, TWD, VND): 0.99 is 1 there."
            ])
        let equalised = try read("\"pricing\": \"equalised\"")
        #expect(equalised.products[0].pricing == .equalised && equalised.remarks.isEmpty)
        #expect(try read("\"pricing\": \"Alt1\"").products[0].pricing == .tier(550))
        for wrong in ["\"pricing\": \"Alt9\"", "\"prices\": {\"KOR\": \"1.50\"}"] {
            let error = #expect(throws: DomainError.self) { try read(wrong) }
            #expect(error?.message.contains("products[0] (a)._openStoreKit") == true, "\(error?.message ?? "")")
        }
    }

    /// Tier 5 is 7,500 won. Tiers 8 and 20 are 12,000 and 30,000: more than half of it, but only the second one rises by more
    /// than the 7,500 that correspond to 5 USD.
    @Test(
        "A subscriber is informed of the price that corresponds to a new base price, and agrees by the rule in that currency",
        arguments: Engine.stores, [("7.99", 12_000_000, false), ("19.99", 30_000_000, true)])
    func increases(engine: Engine, raised: (price: String, won: Int64, needsConsent: Bool)) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.registerProduct(
                "monthly", kind: .autoRenewable, values: TestStore.productValues(tier: "5"), by: holder)
            let subscriber = try await store.subscriber(at: "2026-01-10 20:00:00", storefront: "KOR")
            try await subscriber.buy("monthly")
            #expect(try await store.amounts() == [7_500_000])
            try await store.raise("monthly", to: raised.price)
            let increase = try #require(try await subscriber.increase())
            #expect(increase.newPrice == Money(milliunits: raised.won, currency: "KRW"))
            #expect(increase.oldPrice == Money(milliunits: 7_500_000, currency: "KRW"))
            #expect(increase.needsConsent == raised.needsConsent)
        }
    }

    @Test("A price beside that of an alternate tier, such as an offer's, has its own price points")
    func besideTier() {
        let pricing = Pricing.tier(590)
        #expect(pricing.price(of: 4990, in: "EUR").milliunits == PriceTier.byNumber[590]?.prices["EUR"])
        for base: Int64 in [990, 29_990] {
            #expect(pricing.price(of: base, in: "USD").milliunits == base)
            #expect(pricing.price(of: base, in: "EUR") == Pricing.equalised.price(of: base, in: "EUR"))
        }
    }

    @Test("A file of Xcode leaves the prices of other currencies as they are, and one that names them changes them")
    func filesOfXcode() throws {
        func file(_ terms: String) throws -> StoreKitConfigurationFile {
            try StoreKitConfigurationFile(
                Data(
                    """
                    {"products": [{"productID": "a", "type": "Consumable", "displayPrice": "9.99", "referenceName": "A"
                        \(terms)}]}
                    """.utf8), file: "shop.storekit", bundleIdentifier: Self.app)
        }
        var product = try file("").products[0]
        product.set(try #require(PriceTier.numbered("10")))
        let old = ProductRegistration(product: product, hasPrice: true, isCleared: true, review: .prepared, version: 1)
        func diff(_ terms: String) throws -> AppFileDiff {
            let state = AppState(products: [old], groups: [], gracePeriodDays: 0, keys: [])
            return AppFileDiff(of: try file(terms), over: state, taken: [], withdraws: false)
        }
        let kept = try diff(", \"displayName\": \"x\"")
        #expect(kept.products.allSatisfy { $0.pricing == .equalised })
        let changed = try diff(", \"_openStoreKit\": {\"pricing\": \"A\"}")
        #expect(changed.products.map(\.pricing) == [.tier(510)])
        #expect(changed.text.contains("prices of the currencies equalised → A"))
    }

    @Test("A price that is exported is imported again as it is", arguments: Engine.stores)
    func exported(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.registerProduct("banana", values: TestStore.productValues(tier: "510"), by: holder)
            try await store.registerProduct("kiwi", values: TestStore.productValues(tier: "3"), by: holder)
            let contents = try await ExportingCatalogue(store.context)(Self.app)
            let file = try StoreKitConfigurationFile(contents, file: "a.storekit", bundleIdentifier: Self.app)
            let pricing = Dictionary(uniqueKeysWithValues: file.products.map { ($0.productIdentifier, $0.pricing) })
            #expect(pricing["banana"] == .tier(510) && pricing["kiwi"] == .equalised && pricing["apple"] == .sameNumber)
        }
    }
}
