// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Prices that an operator sets.
struct ProductPriceTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    /// The price that a device without an account, or with one, is shown.
    private func shown(_ product: String, on device: TestDevice) async throws -> Money? {
        try await device.call(
            ProductsCall(bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: [product], languages: [])
        ).products.first.map { Money(milliunits: $0.milliunits, currency: $0.currency) }
    }

    @Test("A storefront's price is shown and charged there, and the base price elsewhere", arguments: Engine.stores)
    func ofAStorefront(engine: Engine) async throws {
        try await engine.withStore { store in
            let berta = try await store.addAccount("berta@example.com", storefront: "DEU")
            let (phone, tablet) = (try await store.addDevice(), try await store.addDevice(2))
            try await phone.signIn(berta)

            let product = try await store.service.setPrice(product: "apple", of: Self.app, in: "DEU", to: "1.29")

            #expect(product.prices == ["DEU": 1290] && product.milliunits == 990)
            #expect(try await shown("apple", on: phone) == Money(milliunits: 1290, currency: "EUR"))
            #expect(try await shown("apple", on: tablet) == Money(milliunits: 990, currency: "USD"))
            try await phone.buy("apple", request: "r1", as: berta)
            #expect(try await store.ledger() == [1290])

            // Another price replaces it, and its removal restores the base price.
            try await store.service.setPrice(product: "apple", of: Self.app, in: "DEU", to: "0")
            #expect(try await shown("apple", on: phone) == Money(milliunits: 0, currency: "EUR"))
            try await store.service.setPrice(product: "apple", of: Self.app, in: "DEU", to: nil)
            #expect(try await shown("apple", on: phone) == Money(milliunits: 990, currency: "EUR"))
            // Removing it again changes nothing.
            #expect(
                try await store.service.setPrice(product: "apple", of: Self.app, in: "DEU", to: nil).prices.isEmpty)
        }
    }

    @Test("The base price is that of all storefronts without their own", arguments: Engine.stores)
    func base(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.service.setPrice(product: "apple", of: Self.app, in: "JPN", to: "150")

            let product = try await store.service.setPrice(product: "apple", of: Self.app, in: nil, to: "2.5")

            #expect(product.milliunits == 2500 && product.prices == ["JPN": 150_000])
            #expect(product.localizations.count == 2)
            #expect(try await shown("apple", on: store.addDevice()) == Money(milliunits: 2500, currency: "USD"))
        }
    }

    @Test("A product with a new price is an edited one", arguments: Engine.stores)
    func edited(engine: Engine) async throws {
        try await engine.withStore { store in
            #expect(try await store.count("product", where: "edit_source = 'file' AND edit_number = 1") == 4)

            try await store.service.setPrice(product: "apple", of: Self.app, in: nil, to: "2")
            try await store.service.setPrice(product: "apple", of: Self.app, in: "DEU", to: "2")
            try await store.service.limit(product: "pear", of: Self.app, isNotSoldIn: ["DEU"])
            try await SettingPrice(store.context)("juice", of: Self.app, in: nil, to: "1", by: .seller)

            let expected = [
                ("apple", "operator", 3), ("pear", "operator", 2), ("juice", "seller", 2), ("seed", "file", 1),
            ]
            for (product, source, number) in expected {
                let condition = "product_id = '\(product)' AND edit_source = '\(source)' AND edit_number = \(number)"
                #expect(try await store.count("product", where: condition) == 1, "\(product)")
            }
        }
    }

    @Test(
        "A price that isn't one, an unknown country and an unknown product are refused, and change nothing",
        arguments: [
            ("apple", "DEU", "one", DomainError.Code.invalid, "The price \"one\" is no decimal such as 0.99"),
            ("apple", "DEU", "", .invalid, "is no decimal"),
            ("apple", "DEU", "-1", .invalid, "The price \"-1\" is less than 0"),
            ("apple", nil, "0.9999", .invalid, "has more than three decimals"),
            ("apple", nil, "1000000000000", .invalid, "is more than 999999999999.999"),
            ("apple", nil, nil, .invalid, "The base price can't be removed"),
            ("apple", "XYZ", "1", .invalid, "There is no storefront \"XYZ\""),
            ("apple", "DE", nil, .invalid, "There is no storefront \"DE\""),
            ("plum", "DEU", "1", .notFound, "com.example.fruit has no product \"plum\""),
        ] as [(String, String?, String?, DomainError.Code, String)])
    func refused(product: String, country: String?, decimal: String?, code: DomainError.Code, words: String)
        async throws
    {
        for engine in Engine.stores {
            try await engine.withStore { store in
                let error = await #expect(throws: DomainError.self) {
                    try await store.service.setPrice(
                        product: ProductIdentifier(product), of: Self.app, in: country, to: decimal)
                }
                #expect(error?.code == code && error?.message.contains(words) == true, "\(error?.message ?? "")")
                let unedited = try await store.count("product", where: "edit_source = 'file'")
                let prices = try await store.count("product_price")
                #expect(unedited == 4 && prices == 0)
            }
        }
    }

    @Test("A product of another app has no price to set", arguments: Engine.stores)
    func ofAnotherApp(engine: Engine) async throws {
        try await engine.withStore { store in
            let error = await #expect(throws: DomainError.self) {
                try await store.service.setPrice(product: "apple", of: "com.example.market", in: nil, to: "1")
            }
            #expect(error?.code == .notFound)
        }
    }
}
