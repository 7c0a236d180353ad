// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Sellers extend paid periods, of one subscription or of all subscribers of
/// a product.
@Suite(.timeLimit(.hang))
struct ExtensionTests {
    private func order(
        _ days: Int, as request: RenewalExtensionIdentifier, _ reason: RenewalExtension.Reason = .outage
    ) -> RenewalExtension {
        RenewalExtension(days: days, reason: reason, request: request)
    }

    @Test("An extended period ends later, and the next ones are counted from there", arguments: Engine.stores)
    func extended(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")

            let extended = try await ExtendingSubscription(store.context)(
                TransactionIdentifier(first.transactionIdentifier), by: order(10, as: "outage"))

            #expect(Subscriber.text(extended.expires) == "2026-02-20 20:00:00")
            #expect(try await anna.periods() == ["small 2026-01-10 20:00:00 to 2026-02-20 20:00:00"])
            #expect(try await anna.phone.queue().count == 1)
            #expect(
                try await anna.advance(to: "2026-03-21 00:00:00") == [
                    "2026-02-19 20:00:00 authorised", "2026-02-20 20:00:00 renewed small",
                    "2026-03-19 19:00:00 authorised", "2026-03-20 19:00:00 renewed small",
                ])
            #expect(try await anna.ledger() == [4990, 4990, 4990])
        }
    }

    @Test("The receipt has the new end, and devices receive an event of the change", arguments: Engine.stores)
    func receipt(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            var events = try await anna.phone.connection.events(
                EventSubscription(
                    credentials: anna.phone.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil)
            ).makeAsyncIterator()
            #expect(try await events.next()?.content is SnapshotEvent)

            _ = try await ExtendingSubscription(store.context)(
                TransactionIdentifier(first.transactionIdentifier), by: order(10, as: "outage"))

            let position = try #require(try await events.next()?.content as? PositionEvent)
            #expect(position.receiptChanged == true)
            let listed = try await anna.phone.receipt().contents.inAppPurchases
            #expect(
                listed.map(\.subscriptionExpirationDate) == [try Subscriber.moment("2026-02-20 20:00:00").date])
            // Without the stream, the number of the event is the receipt's.
            #expect(try await anna.phone.receiptAnswer().position == position.position)
        }
    }

    @Test("An authorised renewal is released, and authorised again before the new end", arguments: Engine.stores)
    func authorised(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            try await anna.advance(to: "2026-02-09 21:00:00")
            #expect(try await store.count("payment", where: "status = 'authorised'") == 1)

            _ = try await ExtendingSubscription(store.context)(
                TransactionIdentifier(first.transactionIdentifier), by: order(1, as: "outage"))
            try await store.recover()

            #expect(try await store.count("payment", where: "status = 'voided'") == 1)
            #expect(
                try await anna.advance(to: "2026-02-12 00:00:00") == [
                    "2026-02-10 20:00:00 authorised", "2026-02-11 20:00:00 renewed small",
                ])
            #expect(try await anna.ledger() == [4990, 4990])
        }
    }

    @Test("A repeated order extends once, and another one needs another identifier", arguments: Engine.stores)
    func repeated(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = TransactionIdentifier(try await anna.buy("small").transactionIdentifier)
            let extend = ExtendingSubscription(store.context)

            for _ in 0..<3 {
                #expect(
                    Subscriber.text(try await extend(first, by: order(10, as: "outage")).expires)
                        == "2026-02-20 20:00:00")
            }
            for other in [order(11, as: "outage"), order(10, as: "outage", .other)] {
                await #expect(throws: DomainError(.requestMismatch, "")) { _ = try await extend(first, by: other) }
            }
            #expect(try await store.count("subscription_event", where: "kind = 'extended'") == 1)

            // Twice in 365 days, also when periods lie between.
            try await anna.advance(.later(ClockDuration("2mo")))
            _ = try await extend(first, by: order(90, as: "again"))
            await #expect(throws: DomainError(.extendedTwice, "")) {
                _ = try await extend(first, by: order(1, as: "third"))
            }
            try await anna.advance(.later(ClockDuration("11mo")))
            _ = try await extend(first, by: order(1, as: "third"))
            #expect(try await store.count("subscription_event", where: "kind = 'extended'") == 3)
        }
    }

    @Test("A period that a test has ended early doesn't count as an extension", arguments: Engine.stores)
    func endedEarly(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            let transaction = TransactionIdentifier(first.transactionIdentifier)
            let original = OriginalTransactionIdentifier(first.transactionIdentifier)
            for _ in 0..<2 {
                try await anna.advance(.by(.seconds(86_400)))
                try await store.service.renewNow(original, of: anna.account.identifier)
            }
            #expect(try await store.count("subscription_event", where: "kind = 'extended'") == 2)
            let extend = ExtendingSubscription(store.context)

            _ = try await extend(transaction, by: order(10, as: "one"))
            let second = try await extend(transaction, by: order(1, as: "two"))

            #expect(Subscriber.text(second.expires) == "2026-02-23 20:00:00")
            await #expect(throws: DomainError(.extendedTwice, "")) {
                _ = try await extend(transaction, by: order(1, as: "three"))
            }
        }
    }

    @Test("Only a paid period that runs is extended, by 1 to 90 days", arguments: Engine.stores)
    func refused(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let small = TransactionIdentifier(try await anna.buy("small").transactionIdentifier)
            let free = TransactionIdentifier(try await anna.buy("free").transactionIdentifier)
            let apple = TransactionIdentifier(try await anna.buy("apple").transactionIdentifier)
            let extend = ExtendingSubscription(store.context)

            for wrong in [order(0, as: "1"), order(91, as: "1"), order(1, as: "")] {
                await #expect(throws: DomainError(.invalid, "")) { _ = try await extend(small, by: wrong) }
            }
            for unknown in [apple, "2000000000000001", "x"] {
                await #expect(throws: DomainError(.notFound, "")) {
                    _ = try await extend(unknown, by: order(1, as: "1"))
                }
            }
            await #expect(throws: DomainError(.decided, "")) { _ = try await extend(free, by: order(1, as: "1")) }
            store.cardLimit.milliunits = 0
            try await anna.advance(to: "2026-02-12 00:00:00")
            #expect(try await anna.subscriptions().contains { $0.state.status(at: $0.now) == .billingGracePeriod })
            await #expect(throws: DomainError(.decided, "")) { _ = try await extend(small, by: order(1, as: "1")) }
            #expect(try await store.count("subscription_event", where: "kind = 'extended'") == 0)
            #expect(try await store.count("event", where: "kind = 'receipt'") == 0)
        }
    }

    @Test("All subscribers of a product are extended page by page, each once", arguments: Engine.stores)
    func subscribers(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            var running: Set<OriginalTransactionIdentifier> = []
            for (number, product) in ["small", "large", "small", "small", "small"].enumerated() {
                let customer = try await store.subscriber(number, at: "2026-01-10 20:00:00")
                let bought = try await customer.buy(product)
                if number == 3 { try await customer.setRenewal(false) }
                if number >= 3 {
                    store.cardLimit.milliunits = 0
                    try await customer.advance(to: "2026-02-15 00:00:00")
                    store.cardLimit.milliunits = .max
                } else if product == "small" {
                    running.insert(OriginalTransactionIdentifier(bought.transactionIdentifier))
                }
            }

            for _ in 0..<2 {
                var extended: [OriginalTransactionIdentifier] = []
                var refused = 0
                var last: OriginalTransactionIdentifier?
                var pages = 0
                repeat {
                    let page = try await ExtendingSubscription(store.context)(
                        subscribersOf: "small", in: BundleIdentifier(TestStore.bundleIdentifier),
                        by: order(7, as: "outage"), after: last, pageSize: 2)
                    extended += page.extended.map(\.original)
                    refused += page.refused.count
                    last = page.next
                    pages += 1
                } while last != nil
                #expect(Set(extended) == running && extended.count == running.count)
                // The charge of one is retried, and that of the fourth customer has expired: neither is eligible.
                #expect(refused == 0)
                #expect(pages == 3)
            }
            #expect(try await store.count("subscription_event", where: "kind = 'extended'") == 2)
            let elsewhere = try await ExtendingSubscription(store.context)(
                subscribersOf: "small", in: "com.example.other", by: order(7, as: "outage"))
            #expect(elsewhere.extended.isEmpty && elsewhere.refused.isEmpty && elsewhere.next == nil)
        }
    }

    @Test("At a shortened speed the days are shortened too, down to nothing", arguments: Engine.stores)
    func shortened(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            for (number, speed, ends) in [
                (0, RenewalSpeed.monthIn5Minutes, "2026-01-10 20:06:40"), (1, .every2Seconds, "2026-01-10 20:00:02"),
            ] {
                let customer = try await store.subscriber(number, at: "2026-01-10 20:00:00")
                try await customer.advance(.speed(speed))
                let bought = try await customer.buy("small")
                let extended = try await ExtendingSubscription(store.context)(
                    TransactionIdentifier(bought.transactionIdentifier), by: order(10, as: "outage"))
                #expect(Subscriber.text(extended.expires) == ends)
                #expect(try await customer.periods() == ["small 2026-01-10 20:00:00 to \(ends)"])
            }
            #expect(try await store.count("subscription_event", where: "kind = 'extended'") == 1)
        }
    }
}
