// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Synchronization
import Testing

/// A process ends, another node acts, or the provider answers later, between
/// two steps of a renewal.
@Suite(.timeLimit(.hang))
struct RenewalFaultTests {
    @Test("A process dies at each step of a renewal, which is charged and delivered once", arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        for step in [
            "renew:before", "renew:after", "authorise:before", "authorise:after", "commit:before", "commit:after",
            "capture:before", "capture:after",
        ] {
            try await engine.withDatabase(hasTables: true) { database in
                let clock = TestClock()
                let mortal = MortalDatabase(database)
                let isArmed = Mutex(false)
                let dying = try await TestStore(
                    mortal, clock: clock, faults: { if $0 == step, isArmed.withLock({ $0 }) { mortal.die() } })
                try await dying.sellBaskets()
                let anna = try await dying.subscriber()
                try await anna.buy("weekly")
                isArmed.withLock { $0 = true }
                clock.advance(by: .seconds(7 * 86400))
                await dying.service.renewSubscriptions()
                #expect(mortal.isDead, "\(step) wasn't reached")

                let store = try await TestStore(database, clock: clock, seed: 8)
                try await store.recover()
                await store.service.renewSubscriptions()
                let found = Subscriber(store: store, account: anna.account, phone: anna.phone)

                #expect(
                    try await found.periods() == [
                        "weekly 2026-01-02 03:04:05 to 2026-01-09 03:04:05",
                        "weekly 2026-01-09 03:04:05 to 2026-01-16 03:04:05",
                    ], "\(step)")
                #expect(try await found.ledger() == [1490, 1490], "\(step)")
                #expect(try await TestDevice(number: 1, store: store).queue().count == 2, "\(step)")
                try await store.checkMoney()
            }
        }
    }

    @Test("Two nodes that renew at the same time charge each period once", arguments: Engine.stores)
    func twoNodes(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            try await nodes.first.sellBaskets()
            var customers: [Subscriber] = []
            for number in 0..<6 {
                let customer = try await nodes.first.subscriber(number)
                try await customer.buy("weekly")
                customers.append(customer)
            }
            nodes.first.clock.advance(by: .seconds(30 * 86400))

            await withTaskGroup(of: Void.self) { group in
                for number in 0..<6 { group.addTask { await nodes[number].service.renewSubscriptions() } }
            }
            // A lease that one node took while the other had the work is free now.
            await nodes.second.service.renewSubscriptions()

            for customer in customers {
                #expect(try await customer.periods().count == 5)
                #expect(try await customer.phone.queue().count == 5)
            }
            #expect(try await nodes.first.ledger() == Array(repeating: 1490, count: 30))
            try await nodes.first.checkMoney()
        }
    }

    @Test(
        "A renewal that the provider confirms after the period's end recovers the subscription",
        arguments: Engine.stores)
    func answeredLater(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await store.answerPayments { $0.lifetime = .seconds(40 * 86400) }

            #expect(
                try await anna.advance(to: "2026-02-12 00:00:00")
                    == ["2026-02-10 20:00:00 billing failed until 2026-02-26 20:00:00"])
            let payment = try #require(try await store.payment("pending"))
            try await store.service.answer(payment, isConfirmed: true)
            try await store.settlePayments()

            #expect(try await anna.status() == .active)
            #expect(try await anna.periods().last == "small 2026-02-10 20:00:00 to 2026-03-10 19:00:00")
            #expect(try await anna.ledger() == [4990, 4990])
            try await store.checkMoney()
        }
    }

    @Test("A renewal that is turned off while its payment waits is released", arguments: Engine.stores)
    func turnedOffMeanwhile(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await store.answerPayments { $0.lifetime = .seconds(40 * 86400) }
            try await anna.advance(to: "2026-02-10 00:00:00")
            try await anna.setRenewal(false)
            let payment = try #require(try await store.payment("pending"))
            try await store.service.answer(payment, isConfirmed: true)
            try await store.settlePayments()
            try await anna.advance(to: "2026-03-10 00:00:00")

            #expect(try await anna.status() == .expired)
            #expect(try await anna.ledger() == [4990])
            #expect(try await store.payment("voided") == payment)
            try await store.checkMoney()
        }
    }

    @Test("A purchase of the group while a renewal waits for its provider is refused for now", arguments: Engine.stores)
    func underWay(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await store.answerPayments { $0.lifetime = .seconds(40 * 86400) }
            try await anna.advance(to: "2026-02-10 00:00:00")

            await #expect(throws: DomainError(.underWay, "")) { try await anna.buy("large") }
            #expect(try await anna.periods().count == 1)
        }
    }

    @Test("An upgrade that waits for its provider leaves the renewal that was paid ahead", arguments: Engine.stores)
    func upgradeWaits(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2026-02-10 00:00:00")
            try await store.answerPayments { $0.lifetime = .seconds(40 * 86400) }
            let answer = try await anna.phone.ask("large", request: "upgrade")
            _ = try await store.service.buy(
                onSheet: anna.phone.token(answer.sheet), as: anna.account, shown: nil)

            #expect(try await anna.advance(to: "2026-02-12 00:00:00") == ["2026-02-10 20:00:00 renewed small"])
            #expect(try await anna.status() == .active)

            let payment = try #require(try await store.payment("pending"))
            try await store.service.answer(payment, isConfirmed: true)
            try await store.settlePayments()
            #expect(
                try await anna.periods() == [
                    "small 2026-01-10 20:00:00 to 2026-02-10 20:00:00",
                    "small 2026-02-10 20:00:00 to 2026-03-10 19:00:00 upgraded",
                    "large 2026-02-12 00:00:00 to 2026-03-11 23:00:00",
                ])
            #expect(try await store.payment("authorised") == nil)
            try await store.checkMoney()
        }
    }

    @Test(
        "A renewal that is confirmed before its failure is written down begins at its moment", arguments: Engine.stores)
    func confirmedBeforeFailing(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await store.answerPayments { $0.lifetime = .seconds(40 * 86400) }
            try await anna.advance(to: "2026-02-10 00:00:00")
            // No step is carried out meanwhile.
            _ = try await MovingClock(store.context)(
                email: anna.account.email, .to(Subscriber.moment("2026-02-14 00:00:00")))
            let payment = try #require(try await store.payment("pending"))
            try await store.service.answer(payment, isConfirmed: true)
            try await store.settlePayments()

            let renewed = try await anna.subscription().subscription.events.last
            #expect(renewed?.kind == .renewed)
            #expect(renewed.map { Subscriber.text($0.at) } == "2026-02-10 20:00:00")
            #expect(try await anna.periods().last == "small 2026-02-10 20:00:00 to 2026-03-10 19:00:00")
            try await store.checkMoney()
        }
    }

    @Test("A renewal that is declined before its failure is written down fails at its moment", arguments: Engine.stores)
    func declinedBeforeFailing(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await store.answerPayments { $0.lifetime = .seconds(40 * 86400) }
            try await anna.advance(to: "2026-02-10 00:00:00")
            // No step is carried out meanwhile.
            _ = try await MovingClock(store.context)(
                email: anna.account.email, .to(Subscriber.moment("2026-02-14 00:00:00")))
            let payment = try #require(try await store.payment("pending"))
            try await store.service.answer(payment, isConfirmed: false)
            try await store.settlePayments()

            let failed = try await anna.subscription().subscription.events.last
            #expect(failed?.kind == .billingFailed)
            #expect(failed.map { Subscriber.text($0.at) } == "2026-02-10 20:00:00")
            #expect(try await anna.status() == .billingGracePeriod)
        }
    }

    @Test("A decline that contradicts an amount that is set aside releases it", arguments: Engine.stores)
    func contradicted(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2026-02-10 00:00:00")
            let payment = try #require(try await store.payment("authorised"))

            try await store.service.receive(ProviderEvent(identifier: "event", payment: payment, kind: .declined))
            try await store.settlePayments()

            #expect(try await store.payment("voided") == payment)
            #expect(try await anna.advance(to: "2026-02-11 00:00:00") == ["2026-02-10 20:00:00 renewed small"])
            #expect(try await anna.ledger() == [4990, 4990])
            try await store.checkMoney()
        }
    }
}
