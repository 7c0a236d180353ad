// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Prices that teams schedule in Connect.
struct ScheduledPriceTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    private func price(_ price: String, country: String = "", firstDay: String = "") -> PriceValues {
        var values = PriceValues()
        (values.price, values.country, values.firstDay) = (price, country, firstDay)
        return values
    }

    private func prices(_ store: TestStore, _ user: TeamUser) async throws -> PricingProduct.Prices {
        try await store.service.pricingProduct().prices(of: "apple", in: Self.app, as: user)
    }

    private func schedule(
        _ values: PriceValues, version: String? = nil, _ store: TestStore, _ user: TeamUser
    ) async throws {
        let shown = try await prices(store, user).version
        try await store.service.pricingProduct().schedule(
            values, of: "apple", in: Self.app, version: version ?? shown, by: user)
    }

    private func problems(_ body: () async throws -> Void) async throws -> [String] {
        do {
            try await body()
            return []
        } catch let error as InvalidFields {
            return error.problems.map { "\($0.field) \($0.kind.rawValue)" }
        }
    }

    @Test("A price begins at its day by the store's clock, in its country only", arguments: Engine.stores)
    func begins(engine: Engine) async throws {
        let clock = TestClock()
        try await engine.withStore(clock: clock) { store in
            let holder = try await store.setUpTeam()
            try await schedule(price("1.29", firstDay: "2026-01-05"), store, holder)
            try await schedule(price("1.19", country: "deu", firstDay: "2026-01-06"), store, holder)
            // A second price of the country takes the place of the first one.
            try await schedule(price("1.09", country: "DEU", firstDay: "2026-01-07"), store, holder)
            #expect(try await prices(store, holder).scheduled.map(\.milliunits) == [1290, 1090])
            func now() async throws -> [Int64] {
                _ = try await ApplyingPriceChanges(store.context)()
                let apple = try await store.registration("apple", as: holder).product
                return [apple.milliunits, apple.prices["DEU"] ?? 0]
            }
            #expect(try await now() == [990, 0])
            clock.advance(by: .seconds(3 * 86_400))
            #expect(try await now() == [1290, 0])
            clock.advance(by: .seconds(2 * 86_400))
            #expect(try await now() == [1290, 1090])
            let left = try await prices(store, holder)
            #expect(left.scheduled.isEmpty && left.begun.map(\.milliunits) == [1090, 1290])
            let log = try await store.service.teamReader.changes(containing: "1.19", as: holder).entries
            #expect(log.map(\.kind) == [.priceScheduled])
        }
    }

    @Test("A scheduled price is cancelled once, and none that has begun", arguments: Engine.stores)
    func cancelled(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(Forgetful(database))
            let holder = try await store.setUpTeam()
            try await schedule(price("1.29", firstDay: "2026-01-05"), store, holder)
            let scheduled = try #require(try await prices(store, holder).scheduled.first)
            let pricing = try store.service.pricingProduct()
            await #expect(throws: DomainError.self) {
                try await pricing.cancel(scheduled.identifier, of: "pear", in: Self.app, by: holder)
            }
            try await pricing.cancel(scheduled.identifier, of: "apple", in: Self.app, by: holder)
            try await pricing.cancel(scheduled.identifier, of: "apple", in: Self.app, by: holder)
            #expect(try await prices(store, holder).scheduled.isEmpty)
            let log = try await store.service.teamReader.changes(as: holder).entries.map(\.kind)
            #expect(log == [.priceCancelled, .priceScheduled, .teamSetUp])
        }
    }

    @Test(
        "Values that can't be scheduled are named, and another user's schedule isn't replaced", arguments: Engine.stores
    )
    func wrong(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let found = try await problems {
                try await schedule(price("much", country: "XXX", firstDay: "2026-02-30"), store, holder)
            }
            #expect(found == ["country unknown", "price malformed", "firstDay malformed"])
            let past = try await problems { try await schedule(price("1", firstDay: "2025-12-31"), store, holder) }
            let far = try await problems { try await schedule(price("", firstDay: "2029-01-01"), store, holder) }
            #expect(past == ["firstDay past"] && far == ["price missing", "firstDay too-far"])
            let shown = try await prices(store, holder).version
            try await schedule(price("1.29", firstDay: "2026-01-05"), store, holder)
            await #expect(throws: DomainError.changed) {
                try await schedule(price("1.39", firstDay: "2026-01-05"), version: shown, store, holder)
            }
            try await store.registerProduct("priceless", values: TestStore.productValues(tier: ""), by: holder)
            await #expect(throws: DomainError.self) {
                try await store.service.pricingProduct().schedule(
                    price("1.00"), of: "priceless", in: Self.app, version: "", by: holder)
            }
            #expect(try await prices(store, holder).scheduled.map(\.milliunits) == [1290])
        }
    }

    @Test(
        "A tier with the same base price and other prices elsewhere is in the history, and the same tier isn't",
        arguments: Engine.stores)
    func tiers(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.registerProduct(by: holder)
            func choose(_ tier: String) async throws -> [PriceChange] {
                store.clock.advance(by: .seconds(1))
                let banana = try await store.registration("banana", as: holder)
                try await store.service.registeringProduct().change(
                    "banana", of: Self.app, to: TestStore.productValues(tier: tier), version: banana.version,
                    by: holder)
                return try await store.service.pricingProduct().prices(of: "banana", in: Self.app, as: holder).begun
            }
            #expect(try await choose("1").isEmpty)
            let alternate = try await choose("550")
            #expect(alternate.map(\.storefront) == [nil] && alternate.map(\.milliunits) == [990])
            #expect(alternate.first?.application?.previous == 990 && alternate.first?.starts == store.clock.now)
            #expect(try await choose("550") == alternate)
            #expect(try await choose("1").map(\.milliunits) == [990, 990])
            #expect(try await choose("2").first?.milliunits == 1990)
        }
    }

    @Test("A process that dies has scheduled the price or not", arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        for step in ["price:before", "price:after"] {
            try await engine.withDatabase(hasTables: true) { database in
                let mortal = MortalDatabase(database)
                let dying = try await TestStore(mortal, faults: { if $0 == step { mortal.die() } })
                let holder = try await dying.setUpTeam()
                try? await schedule(price("1.29", firstDay: "2026-01-05"), dying, holder)
                #expect(mortal.isDead)
                let store = try await TestStore(database, seed: 8)
                #expect(try await prices(store, holder).scheduled.count == (step == "price:after" ? 1 : 0))
            }
        }
    }
}
