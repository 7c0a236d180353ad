// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A customer manages subscriptions without a device.
@Suite(.timeLimit(.hang))
struct ManagingSubscriptionsTests {
    private func only(_ anna: Subscriber) async throws -> ManagedSubscription {
        let all = try await ManagingSubscriptions(anna.store.context)(of: anna.account.identifier)
        return try #require(all.count == 1 ? all.first : nil)
    }

    /// The choices, each with its consequence.
    private func choices(_ anna: Subscriber) async throws -> [String] {
        try await only(anna).choices.map { "\($0.product.productIdentifier) \($0.terms.change.rawValue)" }
    }

    private func choose(_ product: ProductIdentifier, _ anna: Subscriber) async throws {
        let original = try await only(anna).subscription.original
        try await ManagingSubscriptions(anna.store.context)
            .choose(product, of: original, account: anna.account.identifier)
    }

    @Test("The list has the state, the next period and the products of the group", arguments: Engine.stores)
    func list(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("small")

            let managed = try await only(anna)

            #expect(managed.status == .active && managed.canTurnOff && !managed.canTurnOn)
            #expect(managed.product?.productIdentifier == "small" && managed.app.name == "Fruit")
            #expect(managed.renewal?.product.productIdentifier == "small")
            #expect(managed.renewal?.price == Money(milliunits: 4990, currency: "USD"))
            #expect(
                try await choices(anna) == ["large upgrade", "other upgrade", "weekly choose", "yearly choose"])
            try await anna.setRenewal(false)
            let ending = try await only(anna)
            #expect(!ending.canTurnOff && ending.canTurnOn && ending.renewal == nil)
            try await anna.advance(to: "2026-05-11 00:00:00")
            let ended = try await only(anna)
            #expect(ended.status == .expired && !ended.canTurnOff && !ended.canTurnOn && ended.choices.isEmpty)
        }
    }

    @Test("A plan is chosen for the next period, and taken back, without a payment", arguments: Engine.stores)
    func chosen(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("small")

            try await choose("yearly", anna)
            #expect(try await anna.subscription().state.nextProduct == "yearly")
            #expect(try await only(anna).renewal?.price == Money(milliunits: 49990, currency: "USD"))
            #expect(try await choices(anna).contains("small keep"))
            try await choose("small", anna)
            #expect(try await anna.subscription().state.nextProduct == "small")
            try await choose("weekly", anna)

            #expect(try await anna.ledger() == [4990])
            // The app receives no transaction for a choice.
            #expect(try await anna.phone.queue().count == 1)
            #expect(
                try await anna.advance(to: "2026-05-11 00:00:00") == [
                    "2026-05-09 19:00:00 authorised", "2026-05-10 19:00:00 renewed weekly",
                ])
        }
    }

    @Test("A choice after the next period was authorised releases that amount", arguments: Engine.stores)
    func authorised(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("large")
            try await anna.advance(to: "2026-05-10 00:00:00")

            try await choose("small", anna)
            try await anna.advance(to: "2026-05-11 00:00:00")
            try await store.recover()

            #expect(try await anna.ledger() == [9990, 4990])
            #expect(try await store.count("payment", where: "status = 'voided'") == 1)
        }
    }

    @Test("A plan that is charged now, isn't in the group or isn't the customer's is refused", arguments: Engine.stores)
    func refused(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let (anna, berta) = (try await store.subscriber(), try await store.subscriber(1))
            try await anna.buy("small")
            let original = try await only(anna).subscription.original
            let managing = ManagingSubscriptions(store.context)

            await #expect(throws: DomainError(.invalid, "")) { try await choose("large", anna) }
            await #expect(throws: DomainError(.notFound, "")) { try await choose("paper", anna) }
            await #expect(throws: DomainError(.notFound, "")) {
                try await managing.choose("yearly", of: original, account: berta.account.identifier)
            }
            _ = try await store.service.change(account: anna.account.email, .init(switches: [.barred: true]))
            await #expect(throws: DomainError(.invalid, "")) { try await choose("yearly", anna) }
            _ = try await store.service.change(account: anna.account.email, .init(switches: [.barred: false]))
            try await store.service.limit(
                product: "yearly", of: BundleIdentifier(TestStore.bundleIdentifier), isNotSoldIn: ["USA"])
            await #expect(throws: DomainError(.invalid, "")) { try await choose("yearly", anna) }
            #expect(try await anna.subscription().state.nextProduct == "small")
            #expect(try await managing(of: berta.account.identifier).isEmpty)
        }
    }
}
