// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The apps and products that teams register in Connect.
struct RegistrationTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    /// The products that a device sees, with their prices.
    private func sold(_ identifiers: [String], _ device: TestDevice) async throws -> [String: Int64] {
        let answer = try await device.call(
            ProductsCall(
                bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: identifiers, languages: ["en_US"]))
        return Dictionary(uniqueKeysWithValues: answer.products.map { ($0.productIdentifier, $0.milliunits) })
    }

    private func problems(_ body: () async throws -> Void) async throws -> [String] {
        do {
            try await body()
            return []
        } catch let error as InvalidFields {
            return error.problems.map { "\($0.field) \($0.kind.rawValue)" }.sorted()
        }
    }

    private func values(_ bundle: String, sku: String, name: String = "Basket") -> AppRegistration.Values {
        AppRegistration.Values(bundleIdentifier: bundle, name: name, sku: sku, primaryLocale: "en_US")
    }

    @Test("An app has a bundle identifier of its own in the store, and a SKU in its team", arguments: Engine.stores)
    func apps(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let register = try store.service.registeringApp()
            let made = try await register(values(" com.example.basket ", sku: "B-1"), by: holder)
            #expect(made.bundleIdentifier == "com.example.basket" && made.team == holder.team)
            let same = try await problems {
                _ = try await register(values("com.example.basket", sku: "B-2"), by: other)
            }
            #expect(same == ["bundle taken"])
            let sku = try await problems { _ = try await register(values("com.example.bag", sku: "B-1"), by: holder) }
            #expect(sku == ["sku taken"])
            _ = try await register(values("com.example.bag", sku: "B-1"), by: other)
            let wrong = try await problems {
                _ = try await register(
                    AppRegistration.Values(
                        bundleIdentifier: "com.example.*", name: "B", sku: "-1", primaryLocale: "xx"), by: holder)
            }
            #expect(wrong == ["bundle malformed", "locale unknown", "name too-short", "sku malformed"])
            let apps = try await store.service.appReader.apps(as: holder).entries.map(\.bundleIdentifier)
            #expect(apps == ["com.example.basket", Self.app])
            await #expect(throws: DomainError.self) {
                try await store.service.appReader.app("com.example.bag", as: holder)
            }
        }
    }

    @Test(
        "A changed name is kept by imports, and a name that another user has changed isn't lost",
        arguments: Engine.stores)
    func names(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let register = try store.service.registeringApp()
            try await register.change(Self.app, to: .init(name: "Fruit Shop", state: nil), version: 0, by: holder)
            await #expect(throws: DomainError.changed) {
                try await register.change(Self.app, to: .init(name: "Vegetables", state: nil), version: 0, by: holder)
            }
            let file = try StoreKitConfigurationFile(
                Data(TestStore.catalogue.replacing("0.99", with: "1.29").utf8), file: "new.storekit",
                bundleIdentifier: Self.app)
            _ = try await ImportingCatalogue(store.context)(
                file, into: App(bundleIdentifier: Self.app, name: "Fruit"), onlyIfChanged: true, overwritingEdits: true)
            #expect(try await store.service.appReader.app(Self.app, as: holder).name == "Fruit Shop")
        }
    }

    @Test("A removed app leaves the list, after its products are off sale, and is restored", arguments: Engine.stores)
    func removed(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let register = try store.service.registeringApp()
            _ = try await register(values("com.example.basket", sku: "1"), by: holder)
            func problems(of app: BundleIdentifier, _ state: String) async -> [FieldProblem] {
                do {
                    try await register.change(app, to: .init(name: nil, state: state), version: 0, by: holder)
                    return []
                } catch { return (error as? InvalidFields)?.problems ?? [] }
            }
            #expect(
                await problems(of: Self.app, "removed")
                    == [FieldProblem(field: "state", kind: .sold, detail: "apple")])
            #expect(await problems(of: Self.app, "gone").map(\.kind) == [.unknown])
            let basket = BundleIdentifier("com.example.basket")
            try await register.change(basket, to: .init(name: nil, state: "removed"), version: 1, by: holder)
            func list(_ state: AppRegistration.State) async throws -> [BundleIdentifier] {
                try await store.service.appReader.apps(state, as: holder).entries.map(\.bundleIdentifier)
            }
            #expect(try await list(.used) == [Self.app])
            #expect(try await list(.removed) == [basket])
            // The change runs twice after a lost commit.
            try await register.change(basket, to: .init(name: nil, state: "removed"), version: 1, by: holder)
            try await register.change(basket, to: .init(name: "Bag", state: "used"), version: 2, by: holder)
            #expect(try await list(.used) == [basket, Self.app])
            let changes = try await store.service.teamReader.changes(as: holder).entries.prefix(3)
            #expect(changes.map(\.kind) == [.appState, .appName, .appState])
            #expect(changes.map(\.after) == ["used", "Bag", "removed"])
            #expect(try await store.service.appReader.app(basket, as: holder).state == .used)
        }
    }

    @Test("The sandbox sells a product of each type as soon as it is complete and cleared", arguments: Engine.stores)
    func complete(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let phone = try await store.addDevice()
            let kinds = ProductRegistration.kinds
            for (place, kind) in kinds.enumerated() {
                try await store.registerProduct("fruit\(place)", kind: kind, by: holder)
            }
            let names = kinds.indices.map { "fruit\($0)" }
            #expect(try await sold(names, phone) == Dictionary(uniqueKeysWithValues: names.map { ($0, 990) }))
            let anna = try await store.addAccount()
            try await phone.buy("fruit0", request: "r1", as: anna)
            #expect(try await store.ledger() == [990])

            var priceless = TestStore.productValues(tier: "")
            try await store.registerProduct("priceless", values: priceless, by: holder)
            try await store.registerProduct("wordless", values: TestStore.productValues(description: ""), by: holder)
            #expect(try await sold(["priceless", "wordless"], phone).isEmpty)
            let found = try await store.registration("priceless", as: holder)
            #expect(found.missing == [.price] && found.state(in: .sandbox) == .missingMetadata)
            priceless.tier = "5"
            priceless.otherPrices = "DEU 5.49\r\nCHE 6.00"
            priceless.exclusions = "fra"
            let change = try store.service.registeringProduct()
            try await change.change("priceless", of: Self.app, to: priceless, version: found.version, by: holder)
            #expect(try await sold(["priceless"], phone) == ["priceless": 4990])
            let changed = try await store.registration("priceless", as: holder)
            #expect(changed.product.prices == ["DEU": 5490, "CHE": 6000])
            let britain = try #require(Storefront.named("GBR"))
            #expect(changed.product.price(in: britain) == Money(milliunits: 4490, currency: "GBP"))
            #expect(changed.product.exclusions == ["FRA"] && changed.product.ownPrices == "CHE 6.00\nDEU 5.49")
            priceless.isCleared = false
            try await change.change("priceless", of: Self.app, to: priceless, version: changed.version, by: holder)
            #expect(try await sold(["priceless"], phone).isEmpty)
            let log = try await store.service.teamReader.changes(containing: "priceless cleared", as: holder).entries
            #expect(log.map(\.before) == ["cleared for sale: yes"] && log.map(\.after) == ["cleared for sale: no"])
        }
    }

    @Test("Values that can't be saved are named with their fields, and change nothing", arguments: Engine.stores)
    func wrong(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let before = try await store.count("product")
            var values = TestStore.productValues(
                "", tier: "88", title: String(repeating: "x", count: 36), description: "A\u{7}")
            values.otherPrices = "DEU one"
            values.exclusions = "XXX"
            let found = try await problems { try await store.registerProduct("no spaces", values: values, by: holder) }
            #expect(
                found == [
                    "description-en_US malformed", "exclusions unknown", "prices malformed", "product malformed",
                    "reference missing", "tier unknown", "title-en_US too-long",
                ])
            var subscription = NewProduct(
                kind: Product.Kind.autoRenewable.rawValue, identifier: "sub", values: TestStore.productValues())
            subscription.values.level = "0"
            subscription.period = "P1D"
            let group = try await problems {
                _ = try await store.service.registeringProduct()(subscription, in: Self.app, by: holder)
            }
            #expect(group == ["level malformed", "newGroup missing", "period unknown"])
            subscription.values.level = "1"
            subscription.period = "P1Y"
            subscription.group = "unknown"
            let unknown = try await problems {
                _ = try await store.service.registeringProduct()(subscription, in: Self.app, by: holder)
            }
            #expect(unknown == ["group unknown"])
            #expect(try await store.count("product") == before)
            #expect(try await store.count("team_product") == 0)
        }
    }

    @Test("A product identifier is a team's once, in all of its apps", arguments: Engine.stores)
    func identifiers(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let register = try store.service.registeringApp()
            _ = try await register(values("com.example.basket", sku: "1"), by: holder)
            _ = try await register(values("com.example.bag", sku: "1"), by: other)
            try await store.registerProduct(by: holder)
            for identifier in ["banana", "apple"] {
                let taken = try await problems {
                    try await store.registerProduct(identifier, in: "com.example.basket", by: holder)
                }
                #expect(taken == ["product taken"])
            }
            try await store.registerProduct(in: "com.example.bag", by: other)
            await #expect(throws: DomainError.self) { try await store.registerProduct("kiwi", by: other) }
        }
    }

    @Test(
        "Of two users who edit a product, the second one's change isn't saved over the first one's",
        arguments: Engine.stores)
    func conflict(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let developer = try await store.addUser(.developer, to: holder)
            try await store.registerProduct(by: holder)
            let shown = try await store.registration("banana", as: holder)
            let registering = try store.service.registeringProduct()
            try await registering.change(
                "banana", of: Self.app, to: TestStore.productValues("First"), version: shown.version, by: holder)
            await #expect(throws: DomainError.changed) {
                try await registering.change(
                    "banana", of: Self.app, to: TestStore.productValues("Second"), version: shown.version, by: developer
                )
            }
            #expect(try await store.registration("banana", as: holder).product.referenceName == "First")
        }
    }

    @Test(
        "Imports leave a product of Connect alone, and take a file's product back when they are asked to",
        arguments: Engine.stores)
    func imports(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.registerProduct(by: holder)
            let shown = try await store.registration("apple", as: holder)
            #expect(shown.hasPrice && shown.isCleared && shown.review.state == .approved)
            var values = TestStore.productValues("Apple", tier: ProductRegistration.Values.keep)
            values.isCleared = false
            try await store.service.registeringProduct()
                .change("apple", of: Self.app, to: values, version: shown.version, by: holder)
            let file = try StoreKitConfigurationFile(
                Data(TestStore.catalogue.utf8), file: "test.storekit", bundleIdentifier: Self.app)
            let app = App(bundleIdentifier: Self.app, name: "Fruit")
            let importing = ImportingCatalogue(store.context)
            let kept = try await importing(file, into: app, onlyIfChanged: false, overwritingEdits: false)
            #expect(kept.refusals.map(\.change.productIdentifier) == ["apple", "banana"])
            #expect(try await !store.registration("apple", as: holder).product.isForSale)
            _ = try await importing(file, into: app, onlyIfChanged: false, overwritingEdits: true)
            let back = try await store.registration("apple", as: holder)
            #expect(back.product.isForSale && back.isCleared && back.hasPrice)
            #expect(back.product.localizations.count == 2)
            #expect(try await store.registration("banana", as: holder).product.isForSale == false)
        }
    }

    @Test("Changes that run twice have their effect once", arguments: Engine.stores)
    func twice(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(Forgetful(database))
            let holder = try await store.setUpTeam()
            _ = try await store.service.registeringApp()(values("com.example.basket", sku: "1"), by: holder)
            try await store.registerProduct("sub", kind: .autoRenewable, by: holder)
            try await store.addScreenshot(of: "sub", by: holder)
            let made = try await store.registration("sub", as: holder)
            let registering = try store.service.registeringProduct()
            try await registering.change(
                "sub", of: Self.app, to: TestStore.productValues("Other"), version: made.version, by: holder)
            let changed = try await store.registration("sub", as: holder)
            try await registering.submit("sub", of: Self.app, version: changed.version, by: holder)
            let reviewing = ReviewingProducts(store.context)
            try await reviewing.decide(.begin, on: "sub", of: Self.app)
            try await reviewing.decide(.reject, on: "sub", of: Self.app, reason: "No.")
            let kinds = try await store.service.teamReader.changes(as: holder).entries.map(\.kind)
            #expect(
                kinds == [
                    .productReviewed, .productReviewed, .productSubmitted, .productChanged, .imageChanged,
                    .productRegistered, .appRegistered, .teamSetUp,
                ])
            #expect(try await store.count("subscription_group") == 1)
        }
    }
}
