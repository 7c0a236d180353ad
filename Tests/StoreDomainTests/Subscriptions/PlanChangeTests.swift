// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A customer changes the product of a subscription.
@Suite(.timeLimit(.hang))
struct PlanChangeTests {
    @Test("An upgrade begins immediately and gives back the unused part of the old period", arguments: Engine.stores)
    func upgrade(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            // April has 30 days: ten of them are over.
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            let first = try await anna.buy("small")
            try await anna.advance(.by(.seconds(10 * 86400)))

            let upgraded = try await anna.buy("large")
            try await store.recover()

            #expect(upgraded.originalTransactionIdentifier == first.transactionIdentifier)
            #expect(
                try await anna.periods() == [
                    "small 2026-04-10 19:00:00 to 2026-05-10 19:00:00 upgraded",
                    "large 2026-04-20 19:00:00 to 2026-05-20 19:00:00",
                ])
            // 4.99 · 20 / 30 = 3.3266…
            #expect(try await anna.ledger().sorted() == [-3320, 4990, 9990])
            #expect(try await store.count("refund", where: "status = 'done' AND reason = 'upgrade'") == 1)
            #expect(
                try await anna.advance(to: "2026-06-01 00:00:00") == [
                    "2026-05-19 19:00:00 authorised", "2026-05-20 19:00:00 renewed large",
                ])
        }
    }

    @Test("A product of the same level and duration replaces the current one immediately", arguments: Engine.stores)
    func crossgrade(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("small")
            try await anna.buy("other")

            #expect(try await anna.periods().count == 2)
            #expect(try await anna.ledger().reduce(0, +) == 5990)
        }
    }

    @Test(
        "A payment of StoreKit 1 for the running subscription fails while it would change nothing",
        arguments: Engine.stores)
    func running(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("large")
            func again(_ request: String, acceptsRunning: Bool = false) async throws -> PaymentCall.Answer {
                let phone = anna.phone
                let asked = try await phone.ask("large", request: request, acceptsRunning: acceptsRunning)
                let token = try phone.token(asked.sheet)
                _ = try await store.service.buy(onSheet: token, as: anna.account, shown: nil)
                return try await phone.ask("large", request: request)
            }

            let failed = try await again("1")
            #expect(failed.status == .failed && failed.transaction == nil)
            #expect(failed.failure?.code == .unknown && failed.failure?.underlying == .subscribed)
            #expect(try await again("2", acceptsRunning: true).status == .purchased)
            // Another plan was chosen, or the renewal is off: the payment takes that back.
            try await anna.buy("yearly")
            #expect(try await again("3").status == .purchased)
            #expect(try await anna.subscription().state.nextProduct == "large")
            try await anna.setRenewal(false)
            #expect(try await again("4").status == .purchased)
            #expect(try await again("5").status == .failed)
            #expect(try await anna.ledger() == [9990])
        }
    }

    @Test("A downgrade takes effect at the next renewal, and can be taken back", arguments: Engine.stores)
    func downgrade(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            let first = try await anna.buy("large")

            // The app receives the current transaction.
            #expect(try await anna.buy("small").transactionIdentifier == first.transactionIdentifier)
            #expect(try await anna.buy("large").transactionIdentifier == first.transactionIdentifier)
            #expect(try await anna.buy("yearly").transactionIdentifier == first.transactionIdentifier)
            #expect(try await anna.subscription().state.nextProduct == "yearly")
            #expect(try await anna.ledger() == [9990])

            #expect(
                try await anna.advance(to: "2026-06-01 00:00:00") == [
                    "2026-05-09 19:00:00 authorised", "2026-05-10 19:00:00 renewed yearly",
                ])
            #expect(
                try await anna.periods() == [
                    "large 2026-04-10 19:00:00 to 2026-05-10 19:00:00",
                    "yearly 2026-05-10 19:00:00 to 2027-05-10 19:00:00",
                ])
            #expect(try await anna.ledger() == [9990, 49990])
        }
    }

    @Test(
        "A plan that is chosen after the next period was authorised is charged at its own price",
        arguments: Engine.stores)
    func lateChoice(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("large")
            try await anna.advance(to: "2026-05-10 00:00:00")
            try await anna.buy("small")

            // The rest of the lead is shorter than a day: it is authorised again now.
            #expect(
                try await anna.advance(to: "2026-05-11 00:00:00") == [
                    "2026-05-09 19:00:00 authorised", "2026-05-10 19:00:00 renewed small",
                ])
            try await store.recover()
            #expect(try await anna.ledger() == [9990, 4990])
            #expect(try await store.count("payment", where: "status = 'voided'") == 1)
        }
    }

    @Test("The schema allows one subscription of a group and account", arguments: Engine.stores)
    func constraint(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("small")
            try await anna.buy("paper")

            await #expect(throws: DatabaseError.self) {
                try await store.context.database.write {
                    _ = try $0.run("UPDATE subscription SET group_id = 'BASKETS'")
                }
            }
            #expect(try await anna.subscriptions().count == 2)
        }
    }

    @Test("Buying the current product turns its renewal on", arguments: Engine.stores)
    func boughtAgain(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            let first = try await anna.buy("small")
            try await anna.phone.finish(first.transactionIdentifier)
            try await anna.setRenewal(false)

            let again = try await anna.buy("small")

            #expect(again.transactionIdentifier == first.transactionIdentifier)
            #expect(try await anna.subscription().state.renews)
            #expect(try await anna.ledger() == [4990])
        }
    }

    @Test(
        "A declined upgrade changes nothing, and a declined first purchase leaves no subscription",
        arguments: Engine.stores)
    func declined(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            store.cardLimit.milliunits = 0
            await #expect(throws: DomainError(.declined, "")) { try await anna.buy("small") }
            #expect(try await store.count("subscription") == 0)
            store.cardLimit.milliunits = 5000
            try await anna.buy("small")
            await #expect(throws: DomainError(.declined, "")) { try await anna.buy("large") }

            #expect(try await anna.periods() == ["small 2026-04-10 19:00:00 to 2026-05-10 19:00:00"])
            store.cardLimit.milliunits = .max
            try await anna.buy("large")
            #expect(try await anna.periods().count == 2)
        }
    }

    @Test("A payment whose transaction a change of plan takes over is asked for again", arguments: Engine.stores)
    func takenOver(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            // The device hasn't read the event of the first payment yet.
            let first = try await anna.phone.buy("large", request: "first", as: anna.account)
            let second = try await anna.phone.buy("small", request: "second", as: anna.account)

            #expect(second.transactionIdentifier == first.transactionIdentifier)
            #expect(try await anna.phone.queue().map(\.requestIdentifier) == ["second"])
            for request in ["first", "second"] {
                #expect(try await store.count("device_news", where: "request_id = '\(request)'") == 1)
            }
            let answer = try await anna.phone.ask("large", request: "first")
            #expect(answer.status == .purchased)
        }
    }

    @Test(
        "An interrupted payment that only changes the plan when it is resolved fails, and brings no transaction again",
        arguments: Engine.stores, [true, false])
    func interrupted(engine: Engine, finishes: Bool) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            _ = try await store.service.change(
                account: anna.account.email, .init(switches: [.interruptsPurchases: true]))
            let sheet = try anna.phone.token(try await anna.phone.ask("small", request: "first").sheet)
            _ = try await store.service.buy(onSheet: sheet, as: anna.account, shown: nil)
            _ = try await store.service.change(
                account: anna.account.email, .init(switches: [.interruptsPurchases: false]))
            let current = try await anna.phone.buy("large", request: "second", as: anna.account)
            if finishes { try await anna.phone.finish(current.transactionIdentifier) }
            let queue = try await anna.phone.queue()

            try await store.service.resolve(try await store.onlyUndecided())

            #expect(try await anna.subscription().state.nextProduct == "small")
            #expect(try await anna.phone.queue() == queue && queue.count == (finishes ? 0 : 1))
            let answer = try await anna.phone.ask("small", request: "first")
            #expect(answer.status == .failed && answer.failure?.underlying == .interrupted)
            #expect(try await store.count("device_news", where: "request_id = 'first'") == 2)
            #expect(try await anna.ledger() == [9990])
            #expect(
                try await anna.advance(to: "2026-05-11 00:00:00") == [
                    "2026-05-09 19:00:00 authorised", "2026-05-10 19:00:00 renewed small",
                ])
        }
    }
}
