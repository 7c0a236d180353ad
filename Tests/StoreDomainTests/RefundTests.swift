// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The store's refunds, on every engine.
struct RefundTests {
    @Test(
        "The refund of an unfinished purchase takes it out of the queue and gives the money back once",
        arguments: Engine.stores)
    func unfinished(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "r1", as: anna)

            try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))
            try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))

            #expect(try await phone.queue().isEmpty)
            #expect(try await store.ledger() == [990, -990])
            #expect(try await store.count("payment", where: "status = 'refunded'") == 1)
            #expect(try await store.count("sandbox_payment", where: "status = 'refunded'") == 1)
            // A repeat of the payment gets no transaction, and isn't charged again.
            let answer = try await phone.ask("apple", request: "r1")
            #expect(answer.status == .purchased && answer.transaction == nil)
        }
    }

    @Test("A refunded non-consumable stays in the receipt with its cancellation date", arguments: Engine.stores)
    func receipt(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "r1", as: anna)
            try await phone.finish(apple.transactionIdentifier)
            store.clock.advance(by: .seconds(60))

            try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))

            let purchases = try await phone.receipt().contents.inAppPurchases
            #expect(purchases.map(\.transactionIdentifier) == [apple.transactionIdentifier])
            #expect(purchases.first?.cancellationDate != nil)
        }
    }

    @Test("A refunded consumable that is unfinished leaves the receipt", arguments: Engine.stores)
    func consumable(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let juice = try await phone.buy("juice", request: "r1", quantity: 2, as: anna)

            try await store.service.refund(TransactionIdentifier(juice.transactionIdentifier))

            #expect(try await phone.receipt().contents.inAppPurchases.isEmpty)
            #expect(try await store.ledger() == [980, -980])
        }
    }

    @Test("A refunded product isn't restored, and is paid for when it is bought again", arguments: Engine.stores)
    func boughtAgain(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "r1", as: anna)
            try await phone.finish(apple.transactionIdentifier)
            try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))

            #expect(try await phone.restore(request: "s1").transactions.isEmpty)
            let again = try await phone.buy("apple", request: "r2", as: anna)

            #expect(again.originalTransactionIdentifier == again.transactionIdentifier)
            #expect(try await store.ledger() == [990, 990, -990])
        }
    }

    @Test("Refunding a repeated purchase, which was free, revokes the product altogether", arguments: Engine.stores)
    func family(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let tablet = try await store.addDevice(2)
            let first = try await phone.buy("apple", request: "r1", as: anna)
            let second = try await tablet.buy("apple", request: "r2", as: anna)

            let refunded = try await store.service.refund(TransactionIdentifier(second.transactionIdentifier))

            #expect(refunded.transactionIdentifier.rawValue == first.transactionIdentifier)
            #expect(try await phone.queue().isEmpty)
            #expect(try await tablet.queue().isEmpty)
            #expect(try await store.ledger() == [990, 0, -990])
            #expect(try await phone.receipt().contents.inAppPurchases.allSatisfy { $0.cancellationDate != nil })
        }
    }

    @Test(
        "Each revocation of a product's purchases revokes all of them, and one notifies the app",
        arguments: Engine.stores)
    func revocationsOfAChain(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let tablet = try await store.addDevice(2)
            let queue = QueueCall(bundleIdentifier: TestStore.bundleIdentifier)
            let first = try await phone.buy("apple", request: "r1", as: anna)
            let second = try await tablet.buy("apple", request: "r2", as: anna)
            let juice = try await tablet.buy("juice", request: "r3", as: anna)
            var news = queue
            news.position = try await tablet.call(queue).position

            try await store.service.refund(TransactionIdentifier(first.transactionIdentifier))

            let chain = try #require(try await tablet.call(news).revoked)
            #expect(chain.count == 2 && chain.filter(\.isEntitlement).count == 1)
            for revoked in chain {
                #expect([first, second, juice].map([revoked].revokes) == [true, true, false])
            }

            news.position = try await tablet.call(queue).position
            try await store.service.refund(TransactionIdentifier(juice.transactionIdentifier))

            let single = try #require(try await tablet.call(news).revoked)
            #expect(single.map(\.isEntitlement) == [false])
            #expect(single.map(\.transactionIdentifier) == [juice.transactionIdentifier])
        }
    }

    @Test("A restore whose list was fixed before a refund doesn't give it back after", arguments: Engine.stores)
    func restore(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "r1", as: anna)
            try await phone.finish(apple.transactionIdentifier)
            #expect(try await phone.restore(request: "s1").transactions.count == 1)

            try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))

            #expect(try await phone.restore(request: "s1").transactions.isEmpty)
        }
    }

    @Test("A provider that can't be reached gives the money back later, once", arguments: Engine.stores)
    func later(engine: Engine) async throws {
        try await engine.withStore(provider: {
            Unreachable(books: SandboxPaymentProvider(database: $0, clock: TestClock().wallClock))
        }) { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "r1", as: anna)

            try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))
            #expect(try await store.count("payment", where: "status = 'refunding'") == 1)
            #expect(try await phone.queue().isEmpty)

            try await RecoveringPayments(store.context)(begunUntil: store.clock.now)
            #expect(try await store.count("payment", where: "status = 'refunded'") == 1)
            #expect(try await store.count("sandbox_payment", where: "status = 'refunded'") == 1)
            #expect(try await store.ledger() == [990, -990])
        }
    }

    @Test("A device that was away for long gets the products that were revoked meanwhile", arguments: Engine.stores)
    func away(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let tablet = try await store.addDevice(2)
            let apple = try await phone.buy("apple", request: "r", as: anna)
            try await phone.finish(apple.transactionIdentifier)
            let before = try #require(
                try await phone.call(
                    QueueCall(bundleIdentifier: TestStore.bundleIdentifier)
                ).position)
            try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))
            for number in 0..<201 { try await tablet.buy("juice", request: "\(number)", as: anna) }

            var events = try await phone.connection.events(
                EventSubscription(
                    credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: before)
            ).makeAsyncIterator()
            let snapshot = try #require(try await events.next()?.content as? SnapshotEvent).snapshot

            #expect(snapshot.revoked?.map(\.productIdentifier) == ["apple"])
        }
    }

    @Test("There is nothing to refund under an unknown number", arguments: Engine.stores)
    func unknown(engine: Engine) async throws {
        try await engine.withStore { store in
            let error = await #expect(throws: DomainError.self) { try await store.service.refund("2000") }
            #expect(error?.code == .notFound)
        }
    }

    private struct Unreachable: PassingProvider {
        var books: SandboxPaymentProvider
        let isBroken = Switch()

        func refund(_ refund: RefundIdentifier, of number: PaymentIdentifier, amount: Money) async throws {
            try await books.refund(refund, of: number, amount: amount)
            try isBroken.fail()
        }
    }
}
