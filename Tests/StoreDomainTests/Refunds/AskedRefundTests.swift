// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The changes that a customer's request for a refund makes, and the
/// notifications of sellers' servers.
@Suite(.timeLimit(.hang))
struct AskedRefundTests {
    private static let off = "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"

    private func withSubscriber(
        _ engine: Engine, _ body: (TestStore, Subscriber, RecordedNotifications) async throws -> Void
    ) async throws {
        let receiver = RecordedNotifications()
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: receiver)
            try await ChangingNotificationAddresses(store.context).add("https://seller.example/")
            try await store.sellBaskets()
            try await body(store, try await store.subscriber(at: "2026-01-10 20:00:00"), receiver)
        }
    }

    @discardableResult
    private func ask(_ transaction: String, _ anna: Subscriber) async throws -> RefundRequest {
        try await AskingForRefund(anna.store.context)(
            TransactionIdentifier(transaction), of: anna.account.identifier, because: .other, comment: nil)
    }

    private func send(_ store: TestStore) async throws {
        try await SigningNotifications(store.context, authority: store.service.authority)()
        await SendingNotifications(store.context)(to: "https://seller.example/")
    }

    @Test(
        "A request for a subscription turns its renewal off, and then asks for the consumption",
        arguments: Engine.stores)
    func subscription(engine: Engine) async throws {
        try await withSubscriber(engine) { store, anna, receiver in
            let first = try await anna.buy("small").transactionIdentifier
            try await anna.advance(to: "2026-02-15 00:00:00")
            let request = try await ask(first, anna)
            #expect(try await ask(first, anna).identifier == request.identifier)
            try await send(store)
            #expect(
                receiver.kinds == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW", Self.off, "CONSUMPTION_REQUEST"])
            #expect(try await !anna.subscription().state.renews)

            _ = try await DecidingRefund(store.context).decline(request.identifier)
            try await send(store)
            #expect(receiver.kinds.last == "REFUND_DECLINED")
            #expect(try await !anna.subscription().state.renews)
            try await anna.advance(to: "2026-04-01 00:00:00")
            #expect(try await anna.ledger() == [4990, 4990])
            try await store.checkMoney()
        }
    }

    @Test("A period whose amount is authorised already isn't charged after the request", arguments: Engine.stores)
    func authorised(engine: Engine) async throws {
        try await withSubscriber(engine) { store, anna, _ in
            let first = try await anna.buy("small").transactionIdentifier
            try await anna.advance(to: "2026-02-10 12:00:00")
            #expect(try await anna.subscription().state.authorised != nil)
            try await ask(first, anna)
            try await anna.advance(to: "2026-03-01 00:00:00")
            #expect(try await anna.ledger() == [4990])
            try await store.checkMoney()
        }
    }

    @Test("A request for a period before doesn't end a subscription whose charge is retried", arguments: Engine.stores)
    func retried(engine: Engine) async throws {
        try await withSubscriber(engine) { store, anna, _ in
            let first = try await anna.buy("small").transactionIdentifier
            store.cardLimit.milliunits = 0
            try await anna.advance(to: "2026-02-12 00:00:00")
            try await ask(first, anna)
            #expect(try await anna.status() == .billingRetry)
        }
    }

    @Test("A product of any kind is asked for its consumption", arguments: Engine.stores)
    func kinds(engine: Engine) async throws {
        try await withSubscriber(engine) { store, anna, receiver in
            for product in ["apple", "juice"] { try await ask(try await anna.buy(product).transactionIdentifier, anna) }
            try await send(store)
            let expected = ["CONSUMPTION_REQUEST", "CONSUMPTION_REQUEST", "ONE_TIME_CHARGE", "ONE_TIME_CHARGE"]
            #expect(receiver.kinds.sorted() == expected)
            #expect(try await DecidingRefund(store.context).waiting(after: nil).count == 2)
        }
    }
}
