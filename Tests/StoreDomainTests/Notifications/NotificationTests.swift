// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Notifications to sellers' servers, from their causes to their attempts.
@Suite(.timeLimit(.hang))
struct NotificationTests {
    static let url = "https://seller.example/notify"
    static let app = BundleIdentifier(TestStore.bundleIdentifier)

    /// Runs a test with a store that sends to a receiver.
    private func withReceiver(
        _ engine: Engine, _ receiver: RecordedNotifications = RecordedNotifications(), url: String? = Self.url,
        _ body: (TestStore, RecordedNotifications) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: receiver)
            if let url { try await ChangingNotificationAddresses(store.context).add(url, of: Self.app) }
            try await body(store, receiver)
        }
    }

    /// Signs the notifications that are ordered, and makes the deliveries that are due.
    private func send(_ store: TestStore) async throws {
        try await SigningNotifications(store.context, authority: store.service.authority)()
        let sending = SendingNotifications(store.context)
        for url in try await sending.addresses(of: Self.app).map(\.url) { await sending(to: url) }
    }

    private func settle(_ store: TestStore) async throws {
        try await send(store)
        #expect(try await ListingNotifications(store.context).isSettled(of: Self.app))
    }

    /// The verified payload of a request.
    private func verified(_ request: RecordedNotifications.Request, _ store: TestStore) throws -> NotificationPayload {
        let jws = try UnverifiedJWS<NotificationPayload>(parsing: request.payload)
        let verdict = store.service.authority.jwsVerifier.verify(
            jws, expecting: .init(bundleIdentifier: TestStore.bundleIdentifier, environment: .sandbox))
        guard case .verified(let verified) = verdict else {
            Issue.record("refused: \(verdict)")
            return jws.payload
        }
        return verified.payload
    }

    /// The payload of a signed value of a notification's data.
    private func part<Payload: SignedPayload>(
        _ name: String, of request: RecordedNotifications.Request, as type: Payload.Type = Payload.self
    ) throws -> Payload {
        guard case .object(let data)? = request.notification?.data, case .string(let text)? = data[name] else {
            throw DomainError(.notFound, name)
        }
        return try UnverifiedJWS<Payload>(parsing: text).payload
    }

    private func status(of request: RecordedNotifications.Request) -> JSONValue? {
        guard case .object(let data)? = request.notification?.data else { return nil }
        return data["status"]
    }

    @Test("A subscription's life is sent in order, each with the state after its event", arguments: Engine.stores)
    func life(engine: Engine) async throws {
        try await withReceiver(engine) { store, receiver in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small").transactionIdentifier
            try await anna.advance(to: "2026-02-11 00:00:00")
            store.cardLimit.milliunits = 0
            try await anna.advance(to: "2026-04-01 00:00:00")
            store.cardLimit.milliunits = .max
            try await anna.advance(to: "2026-04-10 00:00:00")
            try await anna.setRenewal(false)
            try await anna.setRenewal(true)
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-06-01 00:00:00")
            try await anna.buy("large")
            try await settle(store)

            #expect(
                receiver.kinds == [
                    "SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED",
                    "DID_RENEW/BILLING_RECOVERY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                    "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                    "EXPIRED/VOLUNTARY", "SUBSCRIBED/RESUBSCRIBE",
                ])
            #expect(receiver.requests.map(status) == [1, 1, 4, 3, 1, 1, 1, 1, 2, 1].map { .number("\($0)") })
            let transactions = try receiver.requests.map {
                try part("signedTransactionInfo", of: $0, as: TransactionPayload.self)
            }
            #expect(transactions.allSatisfy { $0.originalTransactionId == first })
            #expect(transactions.map { $0.transactionId == first } == [true] + Array(repeating: false, count: 9))
            #expect(transactions.last?.productId == "large")
            let renewals = try receiver.requests.map {
                try part("signedRenewalInfo", of: $0, as: RenewalInfoPayload.self)
            }
            #expect(renewals.map(\.autoRenewStatus) == [1, 1, 1, 1, 1, 0, 1, 0, 0, 1])
            #expect(renewals.map { $0.gracePeriodExpiresDate != nil }.firstIndex(of: true) == 2)
            let payloads = try receiver.requests.map { try verified($0, store) }
            #expect(Set(payloads.map(\.notificationUUID)).count == 10)
            #expect(payloads.allSatisfy { $0.version == "2.0" && $0.statedBundleIdentifier == Self.app.rawValue })
        }
    }

    @Test("One-time purchases, refunds and requests for them are sent", arguments: Engine.stores)
    func purchases(engine: Engine) async throws {
        try await withReceiver(engine) { store, receiver in
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            let juice = TransactionIdentifier(
                try await phone.buy("juice", request: "1", as: anna).transactionIdentifier)
            let (ask, decide) = (AskingForRefund(store.context), DecidingRefund(store.context))
            for _ in 0..<2 { try await ask(juice, of: anna.identifier, because: .broken, comment: nil) }
            let waiting = try #require(try await decide.waiting(after: nil).first)
            for _ in 0..<2 { _ = try await decide.decline(waiting.identifier) }
            for _ in 0..<2 { try await store.service.refund(juice) }
            try await settle(store)

            #expect(
                receiver.kinds == ["ONE_TIME_CHARGE", "CONSUMPTION_REQUEST", "REFUND_DECLINED", "REFUND"])
            let infos = try receiver.requests.map {
                try part("signedTransactionInfo", of: $0, as: TransactionPayload.self)
            }
            #expect(infos.map { $0.revocationDate != nil } == [false, false, false, true])
            let request = try #require(receiver.requests.dropFirst().first?.notification?.data)
            guard case .object(let data) = request else { throw DomainError(.notFound, "data") }
            #expect(data["consumptionRequestReason"] == .string("FULFILLMENT_ISSUE") && data["status"] == nil)
        }
    }

    @Test(
        "A refund that is taken back is sent, and the refund's payload stays that of a refund", arguments: Engine.stores
    )
    func reversal(engine: Engine) async throws {
        try await withReceiver(engine) { store, receiver in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = TransactionIdentifier(try await anna.buy("small").transactionIdentifier)
            try await store.service.refund(first)
            try await store.service.reverseRefund(of: first)
            try await store.service.refund(first)
            // All are signed after the last change.
            try await settle(store)

            #expect(receiver.kinds == ["SUBSCRIBED/INITIAL_BUY", "REFUND", "REFUND_REVERSED", "REFUND"])
            let infos = try receiver.requests.map {
                try part("signedTransactionInfo", of: $0, as: TransactionPayload.self)
            }
            #expect(infos.map { $0.revocationDate != nil } == [false, true, false, true])
            #expect(receiver.requests.map(status) == [1, 5, 1, 5].map { .number("\($0)") })
            let renewals = try receiver.requests.map {
                try part("signedRenewalInfo", of: $0, as: RenewalInfoPayload.self)
            }
            #expect(renewals.map(\.autoRenewStatus) == [1, 0, 1, 0])
        }
    }

    @Test("An extension of all subscribers ends with a summary", arguments: Engine.stores)
    func extensions(engine: Engine) async throws {
        try await withReceiver(engine) { store, receiver in
            try await store.sellBaskets()
            try await store.subscriber(1).buy("small")
            let order = RenewalExtension(days: 2, reason: .outage, request: "outage")
            try await OrderingMassExtension(store.context)("small", in: Self.app, by: order)
            for _ in 0..<2 { try await CarryingOutMassExtensions(store.context)() }
            try await settle(store)

            #expect(
                receiver.kinds.sorted() == [
                    "RENEWAL_EXTENDED", "RENEWAL_EXTENSION/SUMMARY", "SUBSCRIBED/INITIAL_BUY",
                ])
            let summary = receiver.requests.first { $0.kind == "RENEWAL_EXTENSION/SUMMARY" }?.notification?.summary
            guard case .object(let values)? = summary else { throw DomainError(.notFound, "summary") }
            #expect(values["succeededCount"] == .number("1") && values["failedCount"] == .number("0"))
            #expect(values["requestIdentifier"] == .string("outage") && values["productId"] == .string("small"))
        }
    }

    @Test("Without an address nothing is kept, and each address gets each notification", arguments: Engine.stores)
    func addresses(engine: Engine) async throws {
        try await withReceiver(engine, url: nil) { store, receiver in
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await phone.buy("juice", request: "1", as: anna)
            #expect(try await store.count("notification") == 0)

            let addresses = ChangingNotificationAddresses(store.context)
            try await addresses.add("https://other.example/", of: "com.example.other")
            try await phone.buy("juice", request: "2", as: anna)
            #expect(try await store.count("notification") == 0)

            try await addresses.add(Self.url, of: Self.app)
            try await addresses.add(Self.url)
            try await addresses.add("https://all.example/")
            try await phone.buy("juice", request: "3", as: anna)
            try await settle(store)
            #expect(Set(receiver.requests.map(\.url)) == [Self.url, "https://all.example/"])
            #expect(receiver.requests.count == 2 && Set(receiver.requests.map(\.body)).count == 1)
            #expect(try await store.count("notification_turn") == 0)
        }
    }

    @Test("The sandbox sends once, and by Apple's schedule when the tester asks for it", arguments: Engine.stores)
    func attempts(engine: Engine) async throws {
        let receiver = RecordedNotifications { _ in .unsuccessfulStatus }
        try await withReceiver(engine, receiver) { store, receiver in
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await phone.buy("juice", request: "1", as: anna)
            for _ in 0..<2 { try await settle(store) }
            #expect(receiver.requests.count == 1)
            let listing = ListingNotifications(store.context)
            #expect(try await listing().first?.deliveries.map(\.state) == [.failed])

            _ = try await store.service.change(account: anna.email, .init(switches: [.retriesNotifications: true]))
            // The list has the newest one first.
            store.clock.advance(by: .seconds(1))
            try await phone.buy("juice", request: "2", as: anna)
            try await settle(store)
            #expect(receiver.requests.count == 2)
            for (number, hours) in [1, 12, 24, 48, 72].enumerated() {
                _ = try await store.service.move(clockOf: anna.email, .by(.seconds(hours * 3600 - 1)))
                try await settle(store)
                #expect(receiver.requests.count == number + 2)
                _ = try await store.service.move(clockOf: anna.email, .by(.seconds(1)))
                try await settle(store)
                #expect(receiver.requests.count == number + 3)
            }
            let delivery = try #require(try await listing().first?.deliveries.first)
            #expect(delivery.state == .failed && delivery.attempts.count == 6 && delivery.due == nil)
            #expect(Set(receiver.requests.dropFirst().map(\.body)).count == 1)

            let identifier = try #require(try await listing().last?.notification.identifier)
            try await listing.sendAgain(identifier)
            try await settle(store)
            #expect(receiver.requests.last == receiver.requests.first)
        }
    }

    @Test("A delivery that fails delays no later one of its transaction", arguments: Engine.stores)
    func failing(engine: Engine) async throws {
        let receiver = RecordedNotifications { $0.kind.hasPrefix("SUBSCRIBED") ? .timedOut : .success }
        try await withReceiver(engine, receiver) { store, receiver in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            _ = try await store.service.change(
                account: anna.account.email, .init(switches: [.retriesNotifications: true]))
            try await anna.buy("small")
            try await anna.setRenewal(false)
            try await settle(store)
            #expect(
                receiver.kinds == ["SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
            #expect(try await store.count("notification_delivery", where: "state = 'due'") == 1)
            #expect(try await store.count("notification_delivery", where: "state = 'delivered'") == 1)
        }
    }

    @Test(
        "While one notification of a transaction is on its way, no other is sent to the address",
        arguments: Engine.stores)
    func turns(engine: Engine) async throws {
        try await withReceiver(engine) { store, receiver in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.setRenewal(false)
            try await SigningNotifications(store.context, authority: store.service.authority)()
            let due = try await store.context.read { db in try NotificationDelivery.due(to: Self.url, limit: 9, db) }
            #expect(due.count == 2)

            let first = try await store.context.write(.key("turn")) { db in try due[0].begin(db) }
            #expect(first != nil)
            let second = try await store.context.write(.key("turn")) { db in try due[1].begin(db) }
            #expect(second == nil)
            await SendingNotifications(store.context)(to: Self.url)
            #expect(receiver.requests.isEmpty)

            // The process that has begun the first one has died.
            try await store.endLeases()
            await SendingNotifications(store.context)(to: Self.url)
            #expect(receiver.kinds == ["SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        }
    }

    @Test("Two processes that sign and send at the same time send each notification once", arguments: Engine.stores)
    func nodes(engine: Engine) async throws {
        let receiver = RecordedNotifications()
        try await engine.withTwoDatabases(hasTables: true) { one, other in
            let store = try await TestStore(one, notifications: receiver)
            let second = try await TestStore(other, seed: 8, notifications: receiver)
            try await ChangingNotificationAddresses(store.context).add(Self.url, of: Self.app)
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            for number in 0..<10 { try await phone.buy("juice", request: "\(number)", as: anna) }

            async let left: Void = send(store)
            async let right: Void = send(second)
            _ = try await (left, right)
            try await settle(store)
            #expect(receiver.requests.count == 10)
            #expect(Set(receiver.requests.map(\.body)).count == 10)
            #expect(try await store.count("notification_delivery", where: "state = 'delivered'") == 10)
        }
    }

    @Test("A notification of a purchase that a test has removed isn't sent")
    func forgotten() async throws {
        try await withReceiver(.sqliteMemory) { store, receiver in
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            let juice = try await phone.buy("juice", request: "1", as: anna).transactionIdentifier
            _ = try await ForgettingPurchase(store.context)(TransactionIdentifier(juice))
            try await settle(store)
            #expect(receiver.requests.isEmpty)
            #expect(try await store.count("notification") == 0)
        }
    }
}
