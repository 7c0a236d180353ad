// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The operator's review of the products of Connect.
struct ProductReviewTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    private func isSold(_ identifier: String, _ device: TestDevice) async throws -> Bool {
        let answer = try await device.call(
            ProductsCall(
                bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: [identifier], languages: ["en_US"]))
        return !answer.products.isEmpty
    }

    private func production(
        _ engine: Engine, _ body: (_ production: TestStore, _ sandbox: TestStore, TeamUser) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            let sandbox = try await TestStore(database)
            try await body(store, sandbox, try await store.setUpTeam())
        }
    }

    @Test(
        "Production sells approved products, and the sandbox of the same database complete ones",
        arguments: Engine.stores)
    func approval(engine: Engine) async throws {
        try await production(engine) { store, sandbox, holder in
            let (phone, tester) = (try await store.addDevice(), try await sandbox.addDevice(2))
            try await store.registerProduct(by: holder)
            var found = try await store.registration("banana", as: holder)
            #expect(found.state(in: .production) == .readyToSubmit)
            #expect(try await !isSold("banana", phone))
            #expect(try await isSold("banana", tester))
            #expect(try await isSold("apple", phone), "The products of a file are in force.")
            let refused = try await phone.ask("banana", request: "r1")
            #expect(refused.failure != nil && refused.sheet == nil)

            let registering = try store.service.registeringProduct()
            try await registering.submit("banana", of: Self.app, version: found.version, by: holder)
            let reviewing = ReviewingProducts(store.context)
            let queue = try await reviewing.queue()
            #expect(queue.map(\.product) == ["banana"] && queue.map(\.state) == [.waiting])
            #expect(try await reviewing.queue(after: queue[0]).isEmpty)
            #expect(try await !isSold("banana", phone))
            try await reviewing.decide(.begin, on: "banana", of: Self.app)
            #expect(try await store.registration("banana", as: holder).state(in: .production) == .inReview)
            let review = try await reviewing.decide(.approve, on: "banana", of: Self.app)
            #expect(review.state == .approved)
            #expect(try await isSold("banana", phone))
            #expect(try await reviewing.queue().isEmpty)

            found = try await store.registration("banana", as: holder)
            try await registering.change(
                "banana", of: Self.app, to: TestStore.productValues(tier: ""), version: found.version, by: holder)
            #expect(try await !isSold("banana", phone), "A product without a price isn't sold.")
        }
    }

    @Test("A rejected product has the reason, and is submitted again", arguments: Engine.stores)
    func rejection(engine: Engine) async throws {
        try await production(engine) { store, _, holder in
            try await store.registerProduct(by: holder)
            let registering = try store.service.registeringProduct()
            let reviewing = ReviewingProducts(store.context)
            await #expect(throws: DomainError.self, "It isn't in the queue.") {
                try await reviewing.decide(.approve, on: "banana", of: Self.app)
            }
            var found = try await store.registration("banana", as: holder)
            try await registering.submit("banana", of: Self.app, version: found.version, by: holder)
            await #expect(throws: DomainError.self, "A rejection needs a reason.") {
                try await reviewing.decide(.reject, on: "banana", of: Self.app, reason: " ")
            }
            try await reviewing.decide(.reject, on: "banana", of: Self.app, reason: "The text is wrong.")
            found = try await store.registration("banana", as: holder)
            #expect(found.state(in: .production) == .rejected && found.review.reason == "The text is wrong.")
            try await registering.submit("banana", of: Self.app, version: found.version, by: holder)
            found = try await store.registration("banana", as: holder)
            #expect(found.state(in: .production) == .waitingForReview && found.review.reason == nil)
            let log = try await store.service.teamReader.changes(containing: "rejected", as: holder).entries
            #expect(log.last?.after == "rejected: The text is wrong." && log.last?.user == "")
        }
    }

    @Test("A decision about a version that the seller has changed since isn't carried out", arguments: Engine.stores)
    func version(engine: Engine) async throws {
        try await production(engine) { store, _, holder in
            try await store.registerProduct(by: holder)
            var found = try await store.registration("banana", as: holder)
            let registering = try store.service.registeringProduct()
            try await registering.submit("banana", of: Self.app, version: found.version, by: holder)
            let reviewing = ReviewingProducts(store.context)
            let seen = try #require(try await reviewing.queue().first)
            found = try await store.registration("banana", as: holder)
            try await registering.change(
                "banana", of: Self.app, to: TestStore.productValues("Bad words"), version: found.version, by: holder)
            await #expect(throws: DomainError.changed) {
                try await reviewing.decide(.approve, on: "banana", of: Self.app, version: seen.version)
            }
            #expect(try await store.registration("banana", as: holder).review.state == .waiting)
        }
    }

    @Test(
        "An incomplete product can't be submitted, and a store that approves all needs no decision",
        arguments: Engine.stores)
    func submission(engine: Engine) async throws {
        try await production(engine) { store, _, holder in
            try await store.registerProduct("a", values: TestStore.productValues(tier: ""), by: holder)
            try await store.registerProduct("b", by: holder)
            let registering = try store.service.registeringProduct()
            await #expect(throws: DomainError.self) {
                try await registering.submit("a", of: Self.app, version: 1, by: holder)
            }
            await #expect(throws: DomainError.changed) {
                try await registering.submit("b", of: Self.app, version: 9, by: holder)
            }
            var context = store.context
            context.approvesProducts = true
            try await RegisteringProduct(context).submit("b", of: Self.app, version: 1, by: holder)
            #expect(try await store.registration("b", as: holder).state(in: .production) == .approved)
            let phone = try await store.addDevice()
            #expect(try await isSold("b", phone))
        }
    }
}
