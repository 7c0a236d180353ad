// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreService
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDomain

/// App Store Server Notifications of version 1, from their causes to their
/// attempts.
@Suite(.timeLimit(.hang))
struct FormerNotificationTests {
    private static let url = "https://seller.example/former"
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)
    private static let secret = "c0ffee\"\\"

    /// The fields of a body that the tests read.
    private struct Body: Decodable {
        struct Unified: Decodable {
            struct Transaction: Decodable {
                var transaction_id: String
                var product_id: String
                var cancellation_date_ms: String?
                var cancellation_reason: String?
                var in_app_ownership_type: String
            }
            struct Renewal: Decodable {
                var original_transaction_id: String
                var auto_renew_status: String
                var price_consent_status: String?
                var is_in_billing_retry_period: String?
            }
            var environment: String
            var latest_receipt: Data
            var latest_receipt_info: [Transaction]
            var pending_renewal_info: [Renewal]
            var status: Int
        }
        var notification_type: String
        var environment: String
        var bid: String
        var password: String?
        var original_transaction_id: Int64
        var auto_renew_status: String?
        var auto_renew_product_id: String?
        var auto_renew_status_change_date_ms: String?
        var expiration_intent: Int?
        var unified_receipt: Unified
    }

    private func withReceiver(
        _ engine: Engine, _ receiver: RecordedNotifications = RecordedNotifications(),
        _ body: (TestStore, RecordedNotifications) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: receiver)
            try await ChangingNotificationAddresses(store.context).add(Self.url, of: Self.app, version: .one)
            try await body(store, receiver)
        }
    }

    /// Makes the bodies of the notifications that are ordered, and the
    /// deliveries that are due.
    private func send(_ store: TestStore) async throws {
        try await SigningNotifications(store.context, authority: store.service.authority)()
        let sending = SendingNotifications(store.context, secret: { $0 == Self.app ? Self.secret : nil })
        for url in try await sending.addresses(of: Self.app).map(\.url) { await sending(to: url) }
    }

    private func bodies(_ receiver: RecordedNotifications) throws -> [Body] {
        let decoder = JSONDecoder()
        return try receiver.requests.map { try decoder.decode(Body.self, from: Data($0.body.utf8)) }
    }

    @Test("A subscription's life is sent with the state after each event", arguments: Engine.stores)
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
            try await send(store)

            let bodies = try bodies(receiver)
            let status = "DID_CHANGE_RENEWAL_STATUS"
            #expect(
                bodies.dropLast(2).map(\.notification_type) == [
                    "INITIAL_BUY", "DID_RENEW", "DID_FAIL_TO_RENEW", "DID_RECOVER", status, status, status,
                ])
            #expect(Set(bodies.suffix(2).map(\.notification_type)) == ["INTERACTIVE_RENEWAL", status])
            #expect(
                bodies.map { $0.auto_renew_status == "true" } == [
                    true, true, true, true, false, true, false, true, true,
                ])
            #expect(
                bodies.map { $0.auto_renew_status_change_date_ms != nil }
                    == bodies.map { $0.notification_type == status })
            #expect(
                bodies.allSatisfy {
                    $0.password == Self.secret && $0.environment == "Sandbox" && $0.bid == Self.app.rawValue
                })
            #expect(bodies.allSatisfy { $0.original_transaction_id == Int64(first) })
            #expect(bodies.map(\.expiration_intent) == [nil, nil, 2] + Array(repeating: nil, count: 6))
            #expect(bodies.map(\.unified_receipt.latest_receipt_info.count) == [1, 2, 2, 3, 3, 3, 3, 4, 4])
            #expect(bodies.map { $0.unified_receipt.pending_renewal_info.count } == Array(repeating: 1, count: 9))
            #expect(bodies[2].unified_receipt.pending_renewal_info.first?.is_in_billing_retry_period == "1")
            #expect(bodies.allSatisfy { $0.unified_receipt.status == 0 && $0.unified_receipt.environment == "Sandbox" })
            for body in bodies {
                let verdict = try store.service.authority.verifier.verify(
                    body.unified_receipt.latest_receipt, expecting: .any)
                guard case .verified(let receipt) = verdict else {
                    Issue.record("the receipt is refused: \(verdict)")
                    continue
                }
                #expect(receipt.contents.inAppPurchases.count == 4)
            }
        }
    }

    @Test("Refunds and requests for them are sent with the refunded transaction", arguments: Engine.stores)
    func refunds(engine: Engine) async throws {
        try await withReceiver(engine) { store, receiver in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let juice = TransactionIdentifier(try await anna.buy("juice").transactionIdentifier)
            let small = TransactionIdentifier(try await anna.buy("small").transactionIdentifier)
            try await anna.phone.finish(juice.rawValue)
            let asking = AskingForRefund(store.context)
            _ = try await asking(juice, of: anna.account.identifier, because: .broken, comment: nil)
            let waiting = try #require(try await DecidingRefund(store.context).waiting(after: nil).first)
            _ = try await DecidingRefund(store.context).approve(waiting.identifier)
            store.clock.advance(by: .seconds(1))
            try await store.service.refund(small)
            try await send(store)

            // Each transaction has an order of its own.
            let bodies = Dictionary(grouping: try bodies(receiver), by: \.original_transaction_id)
            let ofJuice = try #require(bodies[Int64(juice.rawValue) ?? 0])
            let ofSmall = try #require(bodies[Int64(small.rawValue) ?? 0])
            #expect(ofJuice.map(\.notification_type) == ["CONSUMPTION_REQUEST", "REFUND"])
            #expect(
                ofSmall.map(\.notification_type) == ["INITIAL_BUY", "CANCEL", "DID_CHANGE_RENEWAL_STATUS"])
            func row(_ body: Body, _ transaction: TransactionIdentifier) -> Body.Unified.Transaction? {
                body.unified_receipt.latest_receipt_info.first { $0.transaction_id == transaction.rawValue }
            }
            #expect(row(ofJuice[0], juice)?.cancellation_date_ms == nil && row(ofJuice[0], juice) != nil)
            #expect(row(ofJuice[1], juice)?.cancellation_date_ms != nil)
            #expect(row(ofJuice[1], juice)?.cancellation_reason == "1")
            #expect(row(ofJuice[1], small)?.cancellation_date_ms == nil)
            #expect(ofSmall.dropFirst().allSatisfy { row($0, small)?.cancellation_reason == "0" })
            #expect(ofJuice[1].auto_renew_status == nil && ofSmall[2].auto_renew_status == "false")
        }
    }

    @Test("A further refund of a part is sent with the purchases since the first one", arguments: Engine.stores)
    func furtherRefund(engine: Engine) async throws {
        try await withReceiver(engine) { store, receiver in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let juice = TransactionIdentifier(try await anna.buy("juice").transactionIdentifier)
            try await store.service.refund(juice, amount: "0.10")
            store.clock.advance(by: .seconds(1))
            let small = try await anna.buy("small").transactionIdentifier
            store.clock.advance(by: .seconds(1))
            try await store.service.refund(juice)
            try await send(store)

            let refunds = try bodies(receiver).filter { $0.notification_type == "REFUND" }.map(\.unified_receipt)
            #expect(
                refunds.map { Set($0.latest_receipt_info.map(\.transaction_id)) } == [
                    [juice.rawValue], [juice.rawValue, small],
                ])
            let dates = refunds.compactMap { receipt in
                receipt.latest_receipt_info.first { $0.transaction_id == juice.rawValue }?.cancellation_date_ms
            }
            #expect(dates.count == 2 && Set(dates).count == 1)
        }
    }

    @Test(
        "A price that needs consent, changes of the plan and a charge that is given up are sent",
        arguments: Engine.stores)
    func changes(engine: Engine) async throws {
        try await withReceiver(engine) { store, receiver in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("large")
            try await anna.buy("small")
            try await anna.buy("large")
            store.cardLimit.milliunits = 0
            try await anna.advance(to: "2026-06-01 00:00:00")
            try await send(store)
            #expect(
                try bodies(receiver).map(\.notification_type) == [
                    "INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_PREF", "DID_FAIL_TO_RENEW",
                    "DID_CHANGE_RENEWAL_STATUS",
                ])
        }
    }

    @Test("An attempt is repeated after 6, 24 and 48 hours with the same bytes", arguments: Engine.stores)
    func attempts(engine: Engine) async throws {
        let receiver = RecordedNotifications { _ in .unsuccessfulStatus }
        try await withReceiver(engine, receiver) { store, receiver in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            _ = try await store.service.change(
                account: anna.account.email, .init(switches: [.retriesNotifications: true]))
            try await anna.buy("small")
            try await send(store)
            #expect(receiver.requests.count == 1)
            for (number, hours) in [6, 24, 48].enumerated() {
                _ = try await store.service.move(clockOf: anna.account.email, .by(.seconds(hours * 3600 - 1)))
                try await send(store)
                #expect(receiver.requests.count == number + 1)
                _ = try await store.service.move(clockOf: anna.account.email, .by(.seconds(1)))
                try await send(store)
                #expect(receiver.requests.count == number + 2)
            }
            #expect(Set(receiver.requests.map(\.body)).count == 1)
            let deliveries = try #require(try await ListingNotifications(store.context)().last?.deliveries)
            #expect(deliveries.map(\.state) == [.failed] && deliveries.map(\.attempts.count) == [4])
        }
    }

    @Test("An address gets its own version, and the history of the Server API has version 2", arguments: Engine.stores)
    func versions(engine: Engine) async throws {
        try await withReceiver(engine) { store, receiver in
            let addresses = ChangingNotificationAddresses(store.context)
            let other = "https://seller.example/"
            try await addresses.add(other, of: Self.app)
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await phone.buy("juice", request: "1", as: anna)
            try await store.sellBaskets()
            let subscriber = try await store.subscriber(3)
            try await subscriber.buy("small")
            try await send(store)

            #expect(
                receiver.requests.filter { $0.url == other }.map(\.kind).sorted() == [
                    "ONE_TIME_CHARGE", "SUBSCRIBED/INITIAL_BUY",
                ])
            #expect(receiver.requests.filter { $0.url == Self.url }.count == 1)
            let filter = NotificationFilter(start: WallTime(milliseconds: 0), end: store.clock.now)
            let history = try await ReadingNotificationHistory(store.context)(filter, in: Self.app, after: nil)
            #expect(history.notifications.map(\.notification.version) == [.two, .two])
            let listed = try await ListingNotifications(store.context)()
            #expect(listed.count == 3)
            let former = try #require(listed.first { $0.notification.version == .one })
            #expect(former.notification.payload?.contains(Self.secret) == false)

            // Adding an address again keeps its version, and another version is refused.
            try await addresses.add(Self.url, of: Self.app)
            try await addresses.add(Self.url, of: Self.app, version: .one)
            await #expect(throws: DomainError(.invalid, "")) {
                try await addresses.add(Self.url, of: Self.app, version: .two)
            }
            #expect(try await addresses().map(\.version) == [.two, .one])
        }
    }

    @Test("A member of a family gets no first purchase, but renewals and a revocation")
    func family() {
        func caused(_ kind: NotificationKind, _ product: Product.Kind) -> [FormerNotificationType] {
            let start = StoreTime(milliseconds: 0)
            let purchase = Purchase(
                transactionIdentifier: "1", originalTransactionIdentifier: "1", account: "a",
                bundleIdentifier: Self.app, productIdentifier: "p", kind: product, quantity: 1,
                applicationUsername: nil, date: start, originalDate: start,
                price: Money(milliunits: 0, currency: "USD"), storefront: "USA", device: nil, requestIdentifier: nil,
                isInReceipt: true, revoked: nil)
            return FormerNotificationType.caused(by: kind, of: purchase)
        }
        #expect(caused(.firstSubscription, .autoRenewable) == [])
        #expect(caused(.resubscription, .autoRenewable) == [.interactiveRenewal])
        #expect(caused(.renewal, .autoRenewable) == [.renewal])
        #expect(caused(.recovery, .autoRenewable) == [.recovery])
        #expect(caused(.revocation, .nonConsumable) == [.revocation])
        #expect(caused(.oneTimeCharge, .nonConsumable) == [])
        #expect(caused(.refund, .autoRenewable) == [.cancellation] && caused(.refund, .nonRenewing) == [.refund])
        #expect(caused(.consumptionRequest, .consumable) == [.consumptionRequest])
        #expect(caused(.consumptionRequest, .autoRenewable) == [])
        #expect(caused(.refundDeclined, .consumable) == [] && caused(.refundReversed, .consumable) == [])
    }

    private static let steps = [
        "notification:signed", "notification:saved", "notification:sending", "notification:sent",
    ]

    @Test("A process dies at each step, and the same bytes are sent at least once", arguments: Engine.stores, steps)
    func dying(engine: Engine, step: String) async throws {
        try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
            let receiver = RecordedNotifications()
            try await ChangingNotificationAddresses(dying.context).add(Self.url, version: .one)
            try await dying.sellBaskets()
            try await dying.subscriber().buy("small")
            try? await round(dying, receiver)
            #expect(database.isDead, "\(step) wasn't reached")

            let store = try await revive()
            try await ReleasingLeases(store.context)()
            for _ in 0..<2 { try await round(store, receiver) }
            let hasSent = ["notification:sending", "notification:sent"].contains(step)
            #expect(receiver.requests.count == (hasSent ? 2 : 1))
            #expect(Set(receiver.requests.map(\.body)).count == 1)
            #expect(try bodies(receiver).map(\.notification_type).first == "INITIAL_BUY")
            #expect(try await store.count("notification") == 1)
            #expect(try await store.count("notification_delivery", where: "state = 'delivered'") == 1)
        }
    }

    @Test(
        "An attempt whose secret can't be read fails with one report, and the next one waits", arguments: Engine.stores)
    func unreadableSecret(engine: Engine) async throws {
        try await withReceiver(engine) { store, receiver in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            _ = try await store.service.change(
                account: anna.account.email, .init(switches: [.retriesNotifications: true]))
            try await anna.buy("small")
            try await SigningNotifications(store.context, authority: store.service.authority)()

            // An error of the database ends the round, and leaves no lease behind.
            let broken = SendingNotifications(store.context, secret: { _ in throw CancellationError() })
            await broken(to: Self.url)
            #expect(try await store.count("notification_turn") == 0)
            #expect(try await store.count("notification_delivery", where: "state = 'due' AND attempts = ''") == 1)

            let reports = Mutex(0)
            let sending = SendingNotifications(
                store.context, secret: { _ in throw DomainError(.authority, "The key is another one.") })
            for _ in 0..<3 {
                await sending(to: Self.url, report: { _ in reports.withLock { $0 += 1 } })
            }
            #expect(reports.withLock { $0 } == 1 && receiver.requests.isEmpty)
            let listing = ListingNotifications(store.context)
            let delivery = try #require(try await listing().first?.deliveries.first)
            #expect(delivery.state == .due && delivery.attempts.map(\.result) == [.other])
            #expect(try await store.count("notification_turn") == 0)

            // The next attempt, after the node has the key, has the secret.
            try await listing.sendAgain(delivery.notification)
            try await send(store)
            #expect(try bodies(receiver).map(\.password) == [Self.secret])
        }
    }

    private func round(_ store: TestStore, _ receiver: RecordedNotifications) async throws {
        var context = store.context
        context.notifications = receiver
        try? await SigningNotifications(context, authority: store.service.authority)()
        let sending = SendingNotifications(context, secret: { _ in Self.secret })
        for url in ((try? await sending.addresses()) ?? []).map(\.url) { await sending(to: url) }
    }
}
