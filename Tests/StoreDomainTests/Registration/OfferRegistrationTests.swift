// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Offers that teams add in Connect.
struct OfferRegistrationTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    /// A monthly subscription for tier 3.
    private func subscription(_ store: TestStore, _ holder: TeamUser) async throws {
        try await store.registerProduct(
            "monthly", kind: .autoRenewable, values: TestStore.productValues(tier: "3"), by: holder)
    }

    private func values(
        _ kind: Product.Offer.Kind, _ identifier: String = "", mode: String = "free", period: String = "P1W",
        periods: String = "", price: String = ""
    ) -> OfferValues {
        var values = OfferValues(kind: kind.rawValue)
        (values.identifier, values.mode, values.period) = (identifier, mode, period)
        (values.periods, values.price, values.referenceName) = (periods, price, "Reference")
        values.eligibility = ["new", "expired"]
        return values
    }

    private func add(
        _ values: OfferValues, to product: String = "monthly", _ store: TestStore, _ user: TeamUser
    ) async throws {
        let version = try await store.registration(product, as: user).version
        try await store.service.registeringOffer().add(
            values, to: ProductIdentifier(product), of: Self.app, version: version, by: user)
    }

    private func problems(_ body: () async throws -> Void) async throws -> [String] {
        do {
            try await body()
            return []
        } catch let error as InvalidFields {
            return error.problems.map { "\($0.field) \($0.kind.rawValue)" }
        }
    }

    @Test("An offer of each kind is added, sold and removed", arguments: Engine.stores)
    func kinds(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await subscription(store, holder)
            try await add(values(.introductory), store, holder)
            try await add(values(.promotional, "loyal", mode: "payAsYouGo", periods: "3", price: "0.99"), store, holder)
            try await add(values(.code, "spring", mode: "payUpFront", period: "P3M", price: "5.00"), store, holder)
            var winBack = values(.winBack, "back", period: "P2W")
            (winBack.paidMonths, winBack.leastLapsedMonths, winBack.waitMonths) = ("2", "1", "3")
            winBack.isHighPriority = true
            try await add(winBack, store, holder)
            let offers = try await store.registration("monthly", as: holder).product.offers
            #expect(offers.map(\.kind) == [.introductory, .promotional, .code, .winBack])
            #expect(offers[1].terms == "payAsYouGo 3 × P1M 0.99; Reference")
            #expect(offers[2].eligibility == [.new, .expired] && offers[2].period == SubscriptionPeriod(3, .month))
            #expect(offers[3].conditions?.waitMonths == 3 && offers[3].priority == .high)

            let phone = try await store.addDevice()
            let anna = try await store.addAccount()
            try await phone.buy("monthly", request: "r1", as: anna)
            #expect(try await store.ledger() == [0])

            let version = try await store.registration("monthly", as: holder).version
            try await store.service.registeringOffer().remove(
                .promotional, named: "loyal", from: "monthly", of: Self.app, version: version, by: holder)
            #expect(try await store.registration("monthly", as: holder).product.offers.count == 3)
            let log = try await store.service.teamReader.changes(containing: "loyal", as: holder).entries
            #expect(log.map(\.kind) == [.offerRemoved, .offerAdded])
        }
    }

    @Test("Terms that an offer can't have are named with their fields", arguments: Engine.stores)
    func wrong(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await subscription(store, holder)
            func found(_ values: OfferValues, to product: String = "monthly") async throws -> [String] {
                try await problems { try await add(values, to: product, store, holder) }
            }
            #expect(
                try await found(values(.introductory, mode: "x", period: "P9D")) == ["mode unknown", "period unknown"])
            #expect(
                try await found(values(.introductory, mode: "payAsYouGo", periods: "13", price: "3.00"))
                    == ["periods out-of-range", "price too-high"])
            #expect(
                try await found(values(.promotional, "no spaces", mode: "payUpFront", period: "P1W", price: "0"))
                    == ["period unknown", "identifier malformed", "price malformed"])
            var code = values(.code, "spring")
            code.eligibility = []
            #expect(try await found(code) == ["eligibility missing"])
            var winBack = values(.winBack, "")
            (winBack.referenceName, winBack.leastLapsedMonths, winBack.mostLapsedMonths) = ("", "9", "3")
            winBack.waitMonths = "1"
            #expect(
                try await found(winBack) == [
                    "identifier missing", "reference missing", "waitMonths malformed", "mostLapsedMonths malformed",
                ])
            #expect(try await found(values(.introductory), to: "apple") == ["kind unknown"])
            try await add(values(.code, "spring"), store, holder)
            #expect(try await found(values(.promotional, "spring")) == ["identifier taken"])
            try await add(values(.introductory), store, holder)
            do {
                try await add(values(.introductory, period: "P1M"), store, holder)
                Issue.record("A subscription has two introductory offers.")
            } catch let error as DomainError {
                #expect(error.code == .invalid)
            }
        }
    }

    @Test("Of two users who add an offer, the second one sees the first one's before", arguments: Engine.stores)
    func conflict(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let marketing = try await store.addUser(.marketing, to: holder)
            try await subscription(store, holder)
            let version = try await store.registration("monthly", as: holder).version
            let offers = try store.service.registeringOffer()
            try await offers.add(values(.introductory), to: "monthly", of: Self.app, version: version, by: marketing)
            await #expect(throws: DomainError.changed) {
                try await offers.add(values(.code, "x"), to: "monthly", of: Self.app, version: version, by: holder)
            }
            let support = try await store.addUser(.support, to: holder)
            await #expect(throws: DomainError.self) { try await add(values(.code, "x"), store, support) }
            #expect(try await store.registration("monthly", as: holder).product.offers.count == 1)
        }
    }

    @Test("A process that dies has added the offer or not, and a repeated change counts once", arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        for step in ["offer:before", "offer:after"] {
            try await engine.withDatabase(hasTables: true) { database in
                let mortal = MortalDatabase(database)
                let dying = try await TestStore(mortal, faults: { if $0 == step { mortal.die() } })
                let holder = try await dying.setUpTeam()
                try await subscription(dying, holder)
                try? await add(values(.introductory), dying, holder)
                let store = try await TestStore(Forgetful(database), seed: 8)
                #expect(
                    try await store.registration("monthly", as: holder).product.offers.count
                        == (step == "offer:after" ? 1 : 0))
                try await add(values(.introductory), store, holder)
                let found = try await store.registration("monthly", as: holder)
                try await store.service.registeringOffer().remove(
                    .introductory, named: "", from: "monthly", of: Self.app, version: found.version, by: holder)
                let log = try await store.service.teamReader.changes(as: holder).entries.map(\.kind)
                #expect(log == [.offerRemoved, .offerAdded, .productRegistered, .teamSetUp])
            }
        }
    }
}
