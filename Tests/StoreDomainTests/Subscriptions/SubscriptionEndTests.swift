// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Refunds, closed and barred accounts, other countries and products that
/// aren't sold any more.
@Suite(.timeLimit(.hang))
struct SubscriptionEndTests {
    @Test("The refund of the fifth of eight periods revokes that one only", arguments: Engine.stores)
    func pastPeriod(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2026-08-11 00:00:00")
            let queue = try await anna.phone.queue()
            try #require(queue.count == 8)

            _ = try await store.service.refund(TransactionIdentifier(queue[4].transactionIdentifier))

            let periods = try await anna.periods()
            #expect(periods.enumerated().filter { $0.element.hasSuffix("refunded") }.map(\.offset) == [4])
            #expect(try await anna.status() == .active)
            #expect(try await anna.phone.queue().count == 7)
            #expect(try await anna.ledger().reduce(0, +) == 7 * 4990)
            #expect(try await anna.advance(to: "2026-09-11 00:00:00").last == "2026-09-10 19:00:00 renewed small")
        }
    }

    @Test("The refund of the running period ends the subscription", arguments: Engine.stores)
    func runningPeriod(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            try await anna.advance(to: "2026-02-09 21:00:00")
            _ = try await store.service.refund(TransactionIdentifier(first.transactionIdentifier))
            try await store.recover()

            #expect(try await anna.status() == .revoked)
            #expect(try await anna.advance(to: "2026-06-01 00:00:00") == [])
            #expect(try await store.count("payment", where: "status = 'voided'") == 1)
            let again = try await anna.buy("small")
            #expect(again.originalTransactionIdentifier == first.transactionIdentifier)
            #expect(try await anna.status() == .active)
        }
    }

    @Test("A product that isn't sold any more is renewed at its price", arguments: Engine.stores)
    func withdrawn(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await store.sellOnlyFruit()

            #expect(try await anna.advance(to: "2026-03-01 00:00:00").last == "2026-02-10 20:00:00 renewed small")
            let berta = try await store.subscriber(1)
            #expect(try await berta.phone.ask("small", request: "1").failure?.code == .storeProductNotAvailable)
        }
    }

    @Test("A subscriber keeps a lower price, and gets a lower one", arguments: Engine.stores)
    func prices(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            let bundle = BundleIdentifier(TestStore.bundleIdentifier)
            try await store.service.setPrice(product: "small", of: bundle, in: nil, to: "5.99")
            try await anna.advance(to: "2026-03-01 00:00:00")
            try await store.service.setPrice(product: "small", of: bundle, in: nil, to: "3.99")
            try await anna.advance(to: "2026-04-01 00:00:00")

            #expect(try await anna.ledger() == [4990, 4990, 3990])
        }
    }

    @Test("In a country where the product isn't sold the subscription ends", arguments: Engine.stores)
    func moved(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.buy("paper")
            try await store.service.limit(
                product: "small", of: BundleIdentifier(TestStore.bundleIdentifier), isNotSoldIn: ["DEU"])
            _ = try await store.service.change(account: anna.account.email, .init(storefront: "DEU"))

            let events = try await anna.advance(to: "2026-03-01 00:00:00")

            #expect(events.contains("2026-02-10 20:00:00 expired (4)"))
            #expect(events.contains("2026-02-10 20:00:00 renewed paper"))
            let currencies = try await ReadingLedger(store.context)().map(\.amount.currency)
            #expect(Set(currencies) == ["USD", "EUR"])
        }
    }

    @Test("A product that is withdrawn from a country after the authorisation isn't charged", arguments: Engine.stores)
    func withdrawnAfterAuthorisation(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2026-02-10 19:00:00")
            #expect(try await store.count("payment", where: "status = 'authorised'") == 1)
            try await store.service.limit(
                product: "small", of: BundleIdentifier(TestStore.bundleIdentifier), isNotSoldIn: ["USA"])

            let events = try await anna.advance(to: "2026-03-01 00:00:00")
            try await store.recover()

            #expect(events == ["2026-02-10 20:00:00 expired (4)"])
            #expect(try await anna.ledger() == [4990])
            #expect(try await store.count("payment", where: "status = 'voided'") == 1)
            try await store.checkMoney()
        }
    }

    @Test(
        "A chosen plan that is withdrawn after the authorisation leaves plan and price as they were",
        arguments: Engine.stores)
    func chosenWithdrawn(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.buy("yearly")
            try await anna.advance(to: "2026-02-10 19:00:00")
            try await store.service.limit(
                product: "yearly", of: BundleIdentifier(TestStore.bundleIdentifier), isNotSoldIn: ["USA"])

            let events = try await anna.advance(to: "2026-03-01 00:00:00")
            try await store.recover()

            #expect(events.last == "2026-02-10 20:00:00 renewed small")
            #expect(try await anna.ledger() == [4990, 4990])
            #expect(try await store.count("payment", where: "status = 'voided' AND milliunits = 49990") == 1)
            try await store.checkMoney()
        }
    }

    @Test("A barred account isn't charged, and is renewed when it is sold to again", arguments: Engine.stores)
    func barred(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 3)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            _ = try await store.service.change(account: anna.account.email, .init(switches: [.barred: true]))
            try await anna.advance(to: "2026-02-12 00:00:00")
            #expect(try await anna.status() == .billingGracePeriod)
            #expect(try await store.count("payment") == 1)
            _ = try await store.service.change(account: anna.account.email, .init(switches: [.barred: false]))
            try await anna.advance(to: "2026-02-13 00:00:00")

            #expect(try await anna.status() == .active)
        }
    }

    @Test("The subscriptions of a closed account aren't renewed", arguments: Engine.stores)
    func closed(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            try await anna.buy("weekly")
            try await ClosingAccount(store.context)(email: anna.account.email)
            store.clock.advance(by: .seconds(30 * 86400))
            await store.service.renewSubscriptions()

            #expect(try await anna.periods().count == 1)
            #expect(try await store.count("subscription_event", where: "kind = 'expired'") == 1)
        }
    }

    @Test(
        "Every period is restored as a transaction of its own, with the chain's first as original",
        arguments: Engine.stores)
    func restored(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            try await anna.advance(to: "2026-05-11 00:00:00")
            let queue = try await anna.phone.queue()
            try #require(queue.count == 5)
            for transaction in queue.dropLast() { try await anna.phone.finish(transaction.transactionIdentifier) }
            _ = try await store.service.refund(TransactionIdentifier(queue[1].transactionIdentifier))

            let restored = try await anna.phone.restore(request: "r").transactions

            // Not the refunded one, and not the unfinished one.
            #expect(restored.count == 3)
            #expect(Set(restored.map(\.originalTransactionIdentifier)) == [first.transactionIdentifier])
            #expect(Set(restored.compactMap(\.restores?.transactionIdentifier)) == [first.transactionIdentifier])
        }
    }

    @Test("The periods of years are restored page by page, each once")
    func restoredInPages() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.advance(.speed(.every2Seconds))
            let first = try await anna.buy("free")
            let count = RestoringPurchases.pageSize + 5
            try await anna.advance(.by(.seconds(2 * (count - 1))))
            // The queue of a device that is signed in now is empty.
            let tablet = try await anna.addDevice(9)

            let page = try await tablet.restore(request: "r")
            let rest = try await tablet.restore(request: "r", page: 1)

            #expect(page.nextPage == 1 && rest.nextPage == nil)
            #expect(page.transactions.count == RestoringPurchases.pageSize && rest.transactions.count == 5)
            let restored = page.transactions + rest.transactions
            #expect(Set(restored.map(\.originalTransactionIdentifier)) == [first.transactionIdentifier])
            #expect(Set(restored.compactMap { $0.restores?.period }).count == count - 1)
        }
    }

    @Test(
        "A device that was offline for months receives every renewal, and each device finishes its own",
        arguments: Engine.stores)
    func twoDevices(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let tablet = try await store.addDevice(9)
            let token = try tablet.token(try await tablet.restore(request: "1").sheet)
            try await store.service.signIn(onSheet: token, as: anna.account)
            try await RecordingDeviceUse(store.context)(
                DeviceApp(
                    account: anna.account.identifier, bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier),
                    device: DeviceIdentifier(tablet.credentials.identifier)))
            try await anna.buy("small")
            try await anna.advance(to: "2026-05-11 00:00:00")

            let there = try await tablet.queue()
            #expect(there.count == 5)
            for transaction in there { try await tablet.finish(transaction.transactionIdentifier) }
            #expect(try await tablet.queue().isEmpty)
            #expect(try await anna.phone.queue().count == 5)
        }
    }

    @Test(
        "A device on which the account signs in later receives the next renewals, and a restore brings the others",
        arguments: Engine.stores)
    func signedInLater(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let tablet = try await anna.addDevice(9)
            try await anna.buy("small")
            _ = try await tablet.call(SignOutCall(requestIdentifier: "out"))
            try await anna.advance(to: "2026-02-11 00:00:00")
            try await tablet.signIn(anna.account, request: "again")
            try await anna.advance(to: "2026-03-11 00:00:00")

            let onPhone = try await anna.phone.queue().map(\.transactionIdentifier)
            try #require(onPhone.count == 3)
            #expect(try await tablet.queue().map(\.transactionIdentifier) == [onPhone[0], onPhone[2]])
            let restored = try await tablet.restore(request: "restore").transactions
            #expect(restored.map(\.restores?.period) == [onPhone[1]])
        }
    }

    @Test("A clock isn't set back past the last event, nor beyond the certificates", arguments: Engine.stores)
    func clock(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2026-02-15 00:00:00")

            await #expect(throws: DomainError(.invalid, "")) { try await anna.advance(to: "2026-02-10 00:00:00") }
            await #expect(throws: DomainError(.invalid, "")) {
                try await anna.advance(.by(.seconds(100 * 366 * 86400)))
            }
            #expect(try await anna.now == "2026-02-15 00:00:00")
            #expect(try await anna.advance(to: "2026-02-11 00:00:00") == [])
            #expect(
                try await anna.advance(.toNextStep) == ["2026-03-09 19:00:00 authorised"])
            #expect(try await anna.now == "2026-03-09 19:00:00")
        }
    }
}

extension TestStore {
    /// Withdraws the baskets.
    fileprivate func sellOnlyFruit() async throws {
        try await sell(Self.catalogue)
    }
}
