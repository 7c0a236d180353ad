// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The delay after which a change in Connect reaches the store.
struct PropagationTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)
    private static let delay = Duration.seconds(600)

    /// The products that a device sees, with their prices and titles.
    private func sold(_ identifiers: [String], _ device: TestDevice) async throws -> [String] {
        let answer = try await device.call(
            ProductsCall(
                bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: identifiers, languages: ["en_US"]))
        return answer.products.map { "\($0.productIdentifier) \($0.milliunits) \($0.title)" }
    }

    private func change(
        _ store: TestStore, _ holder: TeamUser, _ values: ProductRegistration.Values
    ) async throws {
        let found = try await store.registration("banana", as: holder)
        try await store.service.registeringProduct().change(
            "banana", of: Self.app, to: values, version: found.version, by: holder)
    }

    @Test("Each of several changes reaches the store after the delay, on each node", arguments: Engine.stores)
    func several(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, propagation: Propagation(sandbox: Self.delay))
            let node = try await TestStore(
                database, clock: store.clock, seed: 8, propagation: Propagation(sandbox: Self.delay))
            let holder = try await store.setUpTeam()
            let phones = [try await store.addDevice(), try await node.addDevice(2)]
            func expect(_ products: [String], _ comment: Comment) async throws {
                for phone in phones { #expect(try await sold(["banana"], phone) == products, comment) }
            }
            try await store.registerProduct(by: holder)
            try await expect([], "A new product isn't sold yet.")
            let arrivals = try await store.service.appReader.arrivals(of: "banana", in: Self.app, as: holder)
            #expect(arrivals == [.sandbox: store.clock.now + Self.delay])
            store.clock.advance(by: .seconds(200))
            try await change(node, holder, TestStore.productValues(tier: "2", title: "Second"))
            store.clock.advance(by: .seconds(200))
            try await change(store, holder, TestStore.productValues(tier: "3", title: "Third"))
            let seen = try await store.registration("banana", as: holder)
            #expect(seen.product.milliunits == 2990, "Connect shows the newest values.")
            try await expect([], "The registration isn't 600 seconds old.")
            store.clock.advance(by: .seconds(200))
            try await expect(["banana 990 Banana"], "the first state")
            store.clock.advance(by: .seconds(199))
            try await expect(["banana 990 Banana"], "the first state until the last second")
            store.clock.advance(by: .seconds(1))
            try await expect(["banana 1990 Second"], "the second state")
            store.clock.advance(by: .seconds(200))
            try await expect(["banana 2990 Third"], "the third state")
            #expect(try await store.service.appReader.arrivals(of: "banana", in: Self.app, as: holder).isEmpty)
        }
    }

    @Test(
        "A customer pays the price that the store shows, and not one that hasn't reached it", arguments: Engine.stores)
    func price(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, propagation: Propagation(sandbox: Self.delay))
            let holder = try await store.setUpTeam()
            let (phone, anna) = (try await store.addDevice(), try await store.addAccount())
            try await store.registerProduct(by: holder)
            store.clock.advance(by: Self.delay)
            try await change(store, holder, TestStore.productValues(tier: "9"))
            try await phone.buy("banana", request: "r1", as: anna)
            #expect(try await store.ledger() == [990])
        }
    }

    @Test(
        "Production waits, and the sandbox of the same database doesn't; a product that is taken off sale waits too",
        arguments: Engine.stores)
    func environments(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(
                database, environment: .production, propagation: Propagation(production: Self.delay))
            let sandbox = try await TestStore(database, clock: store.clock)
            let holder = try await store.setUpTeam()
            let (phone, tester) = (try await store.addDevice(), try await sandbox.addDevice(2))
            try await store.registerProduct(by: holder)
            #expect(try await sold(["banana"], tester).count == 1)
            let registering = try store.service.registeringProduct()
            try await registering.submit("banana", of: Self.app, version: 1, by: holder)
            try await ReviewingProducts(store.context).decide(.approve, on: "banana", of: Self.app)
            #expect(try await sold(["banana"], phone).isEmpty, "The approval has a delay too.")
            store.clock.advance(by: Self.delay)
            #expect(try await sold(["banana"], phone).count == 1)
            var values = TestStore.productValues()
            values.isCleared = false
            try await change(store, holder, values)
            #expect(try await sold(["banana"], phone).count == 1)
            #expect(try await sold(["banana"], tester).isEmpty)
            store.clock.advance(by: Self.delay)
            #expect(try await sold(["banana"], phone).isEmpty)
        }
    }

    @Test("A file and the operator's commands act now, together with the changes before them", arguments: Engine.stores)
    func files(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, propagation: Propagation(sandbox: Self.delay))
            let holder = try await store.setUpTeam()
            let phone = try await store.addDevice()
            #expect(try await sold(["apple"], phone).count == 1, "The file's products are sold now.")
            try await store.registerProduct(by: holder)
            try await SettingAvailability(store.context)("banana", of: Self.app, isNotSoldIn: ["DEU"])
            #expect(try await sold(["banana"], phone).count == 1)
        }
    }

    @Test("A former product has all values of the product", arguments: Engine.stores)
    func values(engine: Engine) async throws {
        try await engine.withStore { store in
            var products = try await ReadingProducts(store.context)(of: Self.app)
            var other = try #require(products.first)
            other.prices = ["DEU": 1190]
            other.exclusions = ["FRA", "JPN"]
            other.plan = Product.Plan(group: "G", level: 2, period: SubscriptionPeriod(1, .month))
            other.contactBonus = SubscriptionPeriod(1, .week)
            other.isFamilyShareable = true
            other.isForSale = false
            other.lacksContract = true
            products.append(other)
            for product in products {
                let text = try SortedJSON.text(try FormerProduct(product, isApproved: true))
                let read = try JSONDecoder().decode(FormerProduct.self, from: Data(text.utf8))
                #expect(try read.product(of: product, in: .production) == product)
            }
        }
    }
}
