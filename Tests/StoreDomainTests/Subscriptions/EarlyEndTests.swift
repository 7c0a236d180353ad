// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Subscriptions that a test of the sandbox ends or renews before their time.
@Suite(.timeLimit(.hang))
struct EarlyEndTests {
    @Test(
        "An expired subscription ends now, its authorised amount is released, and it can be bought again",
        arguments: Engine.stores)
    func expired(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            try await anna.advance(to: "2026-02-09 21:00:00")
            #expect(try await store.count("payment", where: "status = 'authorised'") == 1)

            let ended = try await anna.expire()

            #expect(ended.events.suffix(3).map(\.kind) == [.extended, .renewalTurnedOff, .expired])
            #expect(try await anna.periods() == ["small 2026-01-10 20:00:00 to 2026-02-09 21:00:00"])
            #expect(try await anna.status() == .expired)
            try await store.recover()
            #expect(try await store.count("payment", where: "status = 'voided'") == 1)
            #expect(try await anna.advance(to: "2026-06-01 00:00:00") == [])
            await #expect(throws: DomainError(.notFound, "")) { try await anna.expire() }
            await #expect(throws: DomainError(.notFound, "")) { try await anna.renewNow() }
            #expect(try await anna.buy("small").originalTransactionIdentifier == first.transactionIdentifier)
            #expect(try await anna.ledger() == [4990, 4990])
        }
    }

    @Test(
        "A subscription whose end one node has recorded is bought again at another one, whose clock is behind",
        arguments: Engine.stores)
    func behind(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            try await anna.advance(to: "2026-01-20 20:00:00")
            try await anna.expire()

            store.clock.advance(by: .milliseconds(-1500))
            #expect(try await anna.status() == .expired)
            await #expect(throws: DomainError(.decided, "")) { try await anna.setRenewal(true) }
            let second = try await anna.buy("small")

            #expect(second.originalTransactionIdentifier == first.transactionIdentifier)
            #expect(second.transactionIdentifier != first.transactionIdentifier)
            #expect(try await anna.ledger() == [4990, 4990])
            #expect(try await anna.status() == .active)
        }
    }

    @Test(
        "A forced renewal ends the period now and begins the next one, without a gap or an overlap",
        arguments: Engine.stores)
    func forced(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2026-01-20 20:00:00")
            try await anna.setRenewal(false)
            try await anna.renewNow()

            #expect(
                try await anna.periods() == [
                    "small 2026-01-10 20:00:00 to 2026-01-20 20:00:00",
                    "small 2026-01-20 20:00:00 to 2026-02-20 20:00:00",
                ])
            #expect(try await anna.subscription().state.renews)
            #expect(try await anna.phone.queue().count == 2)
            #expect(try await anna.ledger() == [4990, 4990])
            #expect(
                try await anna.advance(to: "2026-03-01 00:00:00") == [
                    "2026-02-19 20:00:00 authorised", "2026-02-20 20:00:00 renewed small",
                ])
        }
    }

    @Test(
        "A forced renewal is paid by the amount that is authorised already",
        arguments: Engine.stores)
    func forcedAfterAuthorisation(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2026-02-09 21:00:00")
            try await anna.renewNow()

            #expect(try await anna.periods().last == "small 2026-02-09 21:00:00 to 2026-03-09 20:00:00")
            #expect(try await store.count("payment") == 2)
            #expect(try await store.count("payment", where: "status = 'captured'") == 2)
        }
    }

    @Test(
        "A forced renewal that isn't paid begins the retry, and the next one ends it",
        arguments: Engine.stores)
    func forcedDecline(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2026-01-20 20:00:00")
            store.cardLimit.milliunits = 0
            try await anna.renewNow()
            #expect(try await anna.status() == .billingRetry)
            #expect(try await anna.periods() == ["small 2026-01-10 20:00:00 to 2026-01-20 20:00:00"])

            store.cardLimit.milliunits = .max
            try await anna.advance(to: "2026-01-20 21:00:00")
            try await anna.renewNow()
            #expect(try await anna.status() == .active)
            #expect(try await anna.periods().last == "small 2026-01-20 21:00:00 to 2026-02-20 21:00:00")
        }
    }

    @Test(
        "A device fetches a receipt when the end of a period was moved, and its queue stays",
        arguments: Engine.stores)
    func receipt(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            let position = try await anna.phone.call(QueueCall(bundleIdentifier: TestStore.bundleIdentifier)).position
            try await anna.expire()

            let events = try await anna.phone.connection.events(
                EventSubscription(
                    credentials: anna.phone.credentials, bundleIdentifier: TestStore.bundleIdentifier,
                    position: position))
            var first: StoreEvent?
            for try await event in events {
                first = event
                break
            }
            let moved = first?.content as? PositionEvent
            #expect(moved?.receiptChanged == true)
            #expect(try await anna.phone.queue().count == 1)
        }
    }

    @Test(
        "A deleted first or newest period deletes its subscription, and another one doesn't",
        arguments: Engine.stores)
    func forgotten(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2026-03-11 00:00:00")
            let queue = try await anna.phone.queue()
            #expect(queue.count == 3)
            let forget = ForgettingPurchase(store.context)
            _ = try await forget(TransactionIdentifier(queue[1].transactionIdentifier))
            #expect(try await store.count("subscription") == 1)
            _ = try await forget(TransactionIdentifier(queue[2].transactionIdentifier))
            #expect(try await store.count("subscription") == 0)
            #expect(try await store.count("subscription_event") == 0)
            #expect(try await anna.advance(to: "2026-06-01 00:00:00") == [])
        }
    }
}

extension Subscriber {
    /// Ends the only subscription now.
    @discardableResult
    fileprivate func expire() async throws -> Subscription {
        try await ExpiringSubscription(store.context)(
            subscription().subscription.original, account: account.identifier)
    }

    /// Renews the only subscription now.
    fileprivate func renewNow() async throws {
        try await store.service.renewNow(subscription().subscription.original, of: account.identifier)
    }
}
