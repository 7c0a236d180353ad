// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A subscriber of a monthly basket is informed of a higher price on 15 January.
/// The notice of 27 days ends after the renewal of 10 February, so that the
/// price applies to that of 10 March.
@Suite(.timeLimit(.hang))
struct PriceIncreaseTests {
    private static let ends = ["2026-02-10 20:00:00", "2026-03-10 19:00:00", "2026-04-10 19:00:00"]
    private static let renews = "small renews: active"

    /// Anna buys a small basket on 10 January, and the price changes on the
    /// 15th.
    private func told(
        _ store: TestStore, _ price: String, graceDays: Int = 0, _ subscribers: PriceChange.Subscribers = .change,
        _ consent: PriceChange.Consent = .rule
    ) async throws -> Story {
        try await store.sellBaskets(graceDays: graceDays)
        let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
        try await anna.buy("small")
        try await anna.advance(to: "2026-01-15 00:00:00")
        var story = try await Story(of: anna)
        try await store.raise(to: price, subscribers, consent)
        let events = subscribers == .change ? ["2026-01-15 00:00:00 price increase announced"] : []
        #expect(try await story.changes() == Changes(events: events, now: [Self.renews]))
        return story
    }

    /// The changes of the renewal on 10 February at the price before.
    private func february(_ story: inout Story) async throws {
        #expect(
            try await story.go(to: "2026-02-20 00:00:00")
                == Changes(
                    events: ["2026-02-09 20:00:00 authorised", "2026-02-10 20:00:00 renewed small"],
                    now: [Self.renews]
                ).paid("small", 4990, Self.ends[0], to: Self.ends[1]))
    }

    /// The changes of the renewal on 10 March at a price.
    private func march(_ story: inout Story, _ milliunits: Int64, also events: [String] = []) async throws {
        #expect(
            try await story.go(to: "2026-03-15 00:00:00")
                == Changes(
                    events: events + ["2026-03-09 19:00:00 authorised", "2026-03-10 19:00:00 renewed small"],
                    now: [Self.renews]
                ).paid("small", milliunits, Self.ends[1], to: Self.ends[2]))
    }

    @Test(
        "Without an agreement the subscription isn't charged ahead, and ends with its period", arguments: Engine.stores)
    func unanswered(engine: Engine) async throws {
        try await engine.withStore { store in
            var story = try await told(store, "12.99")
            let increase = try #require(try await story.subscriber.increase())
            #expect(increase.needsConsent && !increase.isAgreed)
            #expect([increase.oldPrice, increase.newPrice].map(\.milliunits) == [4990, 12_990])
            #expect(Subscriber.text(increase.applies) == Self.ends[1])
            try await february(&story)
            #expect(try await story.subscriber.increase() == increase)

            #expect(try await story.go(to: "2026-03-10 18:59:59") == Changes(now: [Self.renews]))
            #expect(
                try await story.go(to: "2026-03-15 00:00:00")
                    == Changes(events: ["2026-03-10 19:00:00 expired (3)"], now: ["small ends (3): expired"]))
            #expect(try await story.subscriber.increase() == nil)
            let subscriber = story.subscriber
            await #expect(throws: DomainError(.notFound, "")) { try await subscriber.answerIncrease(true) }
            try await store.checkMoney()
        }
    }

    @Test("After an agreement the higher price is paid from the end of the notice", arguments: Engine.stores)
    func agreed(engine: Engine) async throws {
        try await engine.withStore { store in
            var story = try await told(store, "12.99")
            try await february(&story)
            for _ in 0..<2 { try await story.subscriber.answerIncrease(true) }
            #expect(try await story.subscriber.increase()?.isAgreed == true)

            try await march(&story, 12_990, also: ["2026-02-20 00:00:00 price increase agreed"])
            #expect(try await story.subscriber.increase() == nil)
            try await story.subscriber.advance(to: "2026-04-15 00:00:00")
            #expect(try await story.subscriber.ledger() == [4990, 4990, 12_990, 12_990])
            try await store.checkMoney()
        }
    }

    @Test("A refusal ends the subscription, and can be taken back until then", arguments: Engine.stores)
    func refused(engine: Engine) async throws {
        try await engine.withStore { store in
            var story = try await told(store, "12.99")
            try await february(&story)
            for _ in 0..<2 { try await story.subscriber.answerIncrease(false) }
            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-02-20 00:00:00 renewal turned off (3)"], now: ["small ends: active"]))
            #expect(try await story.subscriber.increase() == nil)
            try await story.subscriber.setRenewal(true)
            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-02-20 00:00:00 renewal turned on", "2026-02-20 00:00:00 price increase agreed"],
                        now: [Self.renews]))

            try await story.subscriber.answerIncrease(false)
            #expect(
                try await story.go(to: "2026-03-15 00:00:00")
                    == Changes(
                        events: ["2026-02-20 00:00:00 renewal turned off (3)", "2026-03-10 19:00:00 expired (3)"],
                        now: ["small ends (3): expired"]))
            try await store.checkMoney()
        }
    }

    @Test("A small increase is informed only, and paid without an answer", arguments: Engine.stores)
    func toldOnly(engine: Engine) async throws {
        try await engine.withStore { store in
            var story = try await told(store, "5.99")
            #expect(try await story.subscriber.increase()?.needsConsent == false)
            try await february(&story)
            try await march(&story, 5990)
            try await store.checkMoney()
        }
    }

    @Test("The seller decides whether consent is needed", arguments: Engine.stores)
    func decided(engine: Engine) async throws {
        try await engine.withStore { store in
            let story = try await told(store, "12.99", .change, .told)
            #expect(try await story.subscriber.increase()?.needsConsent == false)
            try await store.raise(to: "13.99", .change, .needed)
            #expect(try await story.subscriber.increase()?.needsConsent == true)
        }
    }

    @Test("Subscribers keep their price when the seller lets them", arguments: Engine.stores)
    func kept(engine: Engine) async throws {
        try await engine.withStore { store in
            var story = try await told(store, "12.99", .keep)
            #expect(try await store.price(of: "small") == 12_990)
            try await february(&story)
            try await march(&story, 4990)
        }
    }

    @Test("A lower price is paid from the next renewal on", arguments: Engine.stores)
    func lowered(engine: Engine) async throws {
        try await engine.withStore { store in
            let story = try await told(store, "3.99", .keep)
            try await story.subscriber.advance(to: "2026-02-20 00:00:00")
            #expect(try await story.subscriber.ledger() == [4990, 3990])
        }
    }

    @Test("An increase to which the customer has agreed ends when the price falls again", arguments: Engine.stores)
    func loweredAgain(engine: Engine) async throws {
        try await engine.withStore { store in
            var story = try await told(store, "12.99")
            try await story.subscriber.answerIncrease(true)
            _ = try await story.changes()
            try await february(&story)
            try await store.raise(to: "4.99", .keep)
            try await march(&story, 4990, also: ["2026-02-20 00:00:00 price increase ended"])
            try await story.subscriber.advance(to: "2026-04-15 00:00:00")
            #expect(try await story.subscriber.ledger() == [4990, 4990, 4990, 4990])
        }
    }

    @Test(
        "A subscription doesn't end for lack of consent to a price that isn't asked any more", arguments: Engine.stores)
    func setBack(engine: Engine) async throws {
        try await engine.withStore { store in
            var story = try await told(store, "12.99")
            try await february(&story)
            try await store.service.setPrice(
                product: "small", of: BundleIdentifier(TestStore.bundleIdentifier), in: nil, to: "4.99")

            try await story.subscriber.advance(to: "2026-03-15 00:00:00")

            #expect(try await story.subscriber.status() == .active)
            #expect(try await story.subscriber.ledger() == [4990, 4990, 4990])
            try await store.checkMoney()
        }
    }

    @Test(
        "An agreement to a price that has fallen isn't one to the price before", arguments: Engine.stores,
        ["agrees", "turns the renewal on", "buys"])
    func agreedToLess(engine: Engine, answer: String) async throws {
        try await engine.withStore { store in
            var story = try await told(store, "12.99")
            try await february(&story)
            let anna = story.subscriber
            func set(_ price: String) async throws {
                try await store.service.setPrice(
                    product: "small", of: BundleIdentifier(TestStore.bundleIdentifier), in: nil, to: price)
            }
            try await set("9.99")
            #expect(try await anna.increase()?.newPrice.milliunits == 9990)
            if answer != "agrees" { try await anna.answerIncrease(false) }
            switch answer {
            case "agrees": try await anna.answerIncrease(true)
            case "buys": try await anna.buy("small")
            default: try await anna.setRenewal(true)
            }
            try await set("12.99")
            #expect(try await anna.increase()?.newPrice.milliunits == 9990)
            try await anna.advance(to: "2026-03-15 00:00:00")
            #expect(try await anna.ledger() == [4990, 4990, 9990])
            try await store.checkMoney()
        }
    }

    @Test("A second increase within a year needs consent", arguments: Engine.stores)
    func second(engine: Engine) async throws {
        try await engine.withStore { store in
            let story = try await told(store, "5.49")
            #expect(try await story.subscriber.increase()?.needsConsent == false)
            store.clock.advance(days: 200)
            try await store.raise(to: "5.99")
            #expect(try await story.subscriber.timesTold() == 2)
            #expect(try await story.subscriber.increase()?.needsConsent == true)
        }
    }

    @Test("A charge that is retried is of the price before", arguments: Engine.stores)
    func inGrace(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let bought = try await anna.buy("small")
            store.cardLimit.milliunits = 0
            try await anna.advance(to: "2026-02-12 00:00:00")
            #expect(try await anna.status() == .billingGracePeriod)

            try await AskingForPriceConsent(store.context)(
                TransactionIdentifier(bought.transactionIdentifier), price: "12.99")
            store.cardLimit.milliunits = .max
            try await anna.advance(to: "2026-02-20 00:00:00")
            #expect(try await anna.ledger() == [4990, 4990])
            #expect(try await anna.increase()?.needsConsent == true)

            try await anna.advance(to: "2026-03-15 00:00:00")
            #expect(try await anna.subscription().state.expired == .priceIncrease)
            #expect(try await anna.ledger() == [4990, 4990])
        }
    }

    @Test("A price that rises in the grace period is asked after the recovered period", arguments: Engine.stores)
    func risesInGrace(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            var customers: [Subscriber] = []
            for number in 0...1 {
                customers.append(try await store.subscriber(number, at: "2026-01-10 20:00:00"))
                try await customers[number].buy("small")
            }
            store.cardLimit.milliunits = 0
            for customer in customers { try await customer.advance(to: "2026-02-12 00:00:00") }
            try await store.raise(to: "12.99")
            store.cardLimit.milliunits = .max
            // The notice of 27 days ends after the renewal of 10 March.
            for customer in customers {
                #expect(try await customer.status() == .billingGracePeriod)
                #expect(try await customer.increase().map { Subscriber.text($0.applies) } == Self.ends[2])
            }
            try await customers[0].answerIncrease(true)
            for customer in customers { try await customer.advance(to: "2026-04-15 00:00:00") }

            #expect(try await customers[0].status() == .active)
            #expect(try await customers[1].subscription().state.expired == .priceIncrease)
            #expect(try await store.ledger() == [12_990, 4990, 4990, 4990, 4990, 4990, 4990])
            try await store.checkMoney()
        }
    }

    @Test("A renewal that is charged ahead already keeps its price", arguments: Engine.stores)
    func chargedAhead(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let bought = try await anna.buy("small")
            try await anna.advance(to: "2026-02-10 00:00:00")
            try await AskingForPriceConsent(store.context)(
                TransactionIdentifier(bought.transactionIdentifier), price: "12.99")
            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await anna.ledger() == [4990, 4990])
            try await anna.answerIncrease(true)
            // The catalogue asks for no more than before.
            try await anna.advance(to: "2026-03-11 00:00:00")
            #expect(try await anna.ledger() == [4990, 4990, 4990])
            try await store.checkMoney()
        }
    }

    @Test(
        "A plan that is chosen for the next period has the price of the choice, or a lower one",
        arguments: Engine.stores)
    func chosen(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("large")
            try await ManagingSubscriptions(store.context).choose(
                "small", of: anna.subscription().subscription.original, account: anna.account.identifier)
            try await store.raise(to: "12.99", .keep)
            try await anna.advance(to: "2026-03-11 00:00:00")
            #expect(try await anna.ledger() == [9990, 4990, 4990])
            try await store.checkMoney()
        }
    }

    @Test("An upgrade, and another product of the next period, need no consent", arguments: Engine.stores)
    func otherProduct(engine: Engine) async throws {
        try await engine.withStore { store in
            var story = try await told(store, "12.99")
            try await february(&story)
            let anna = story.subscriber
            try await ManagingSubscriptions(store.context).choose(
                "weekly", of: anna.subscription().subscription.original, account: anna.account.identifier)
            try await anna.advance(to: "2026-03-11 00:00:00")
            #expect(try await anna.subscription().state.period.product == "weekly")
            #expect(try await anna.increase() == nil)

            let berta = try await store.subscriber(1, at: "2026-01-10 20:00:00")
            try await berta.buy("small")
            try await store.raise(to: "14.99", .change, .needed)
            #expect(try await berta.increase() != nil)
            try await berta.buy("large")
            #expect(try await berta.increase() == nil)
        }
    }
}
