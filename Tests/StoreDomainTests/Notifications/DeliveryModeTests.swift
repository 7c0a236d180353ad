// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The modes in which the sandbox delivers notifications for tests.
@Suite(.timeLimit(.hang))
struct DeliveryModeTests {
    private static let url = "https://seller.example/notify"
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    /// Runs a test with a subscriber of a store that sends to a receiver.
    private func withSubscriber(
        _ engine: Engine, _ receiver: RecordedNotifications = RecordedNotifications(),
        _ body: (TestStore, Subscriber, RecordedNotifications) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: receiver)
            try await ChangingNotificationAddresses(store.context).add(Self.url, of: Self.app)
            try await store.sellBaskets()
            try await body(store, try await store.subscriber(at: "2026-01-10 20:00:00"), receiver)
        }
    }

    private func set(
        _ store: TestStore, of email: String? = nil, _ change: (inout DeliveryMode) -> Void = { _ in }
    ) async throws {
        var mode = DeliveryMode()
        change(&mode)
        try await SettingDeliveryMode(store.context)(mode, email: email)
    }

    /// Signs and sends everything that is due.
    private func settle(_ store: TestStore) async throws {
        try await SigningNotifications(store.context, authority: store.service.authority)()
        let sending = SendingNotifications(store.context)
        for url in try await sending.addresses(of: Self.app).map(\.url) { await sending(to: url) }
        #expect(try await ListingNotifications(store.context).isSettled(of: Self.app))
    }

    private func delivery(_ store: TestStore) async throws -> NotificationDelivery {
        try #require(try await ListingNotifications(store.context)(of: Self.app).first?.deliveries.first)
    }

    @Test("Each notification is sent twice with the same bytes", arguments: Engine.stores)
    func twice(engine: Engine) async throws {
        try await withSubscriber(engine) { store, anna, receiver in
            try await set(store) { $0.isSentTwice = true }
            try await anna.buy("small")
            try await anna.setRenewal(false)
            for _ in 0..<2 { try await settle(store) }
            let off = "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"
            #expect(receiver.kinds == ["SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/INITIAL_BUY", off, off])
            #expect(Set(receiver.requests.map(\.body)).count == 2)
            let delivery = try await delivery(store)
            #expect(delivery.state == .delivered && delivery.attempts.map(\.result) == [.success, .success])

            try await ListingNotifications(store.context).sendAgain(delivery.notification)
            try await settle(store)
            #expect(receiver.requests.count == 5)
        }
    }

    @Test("A notification is sent after the next one, and the end of the mode sends the rest", arguments: Engine.stores)
    func outOfOrder(engine: Engine) async throws {
        try await withSubscriber(engine) { store, anna, receiver in
            try await set(store) { $0.isOutOfOrder = true }
            try await anna.buy("small")
            try await settle(store)
            #expect(receiver.requests.isEmpty)
            #expect(try await delivery(store).state == .held)

            for isOn in [false, true] { try await anna.setRenewal(isOn) }
            try await settle(store)
            let (first, off) = ("SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED")
            #expect(receiver.kinds == [off, first])

            try await set(store)
            try await anna.setRenewal(false)
            try await settle(store)
            #expect(receiver.kinds == [off, first, "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", off])
            #expect(try await SettingDeliveryMode(store.context)().isEmpty)
        }
    }

    @Test("A late notification follows a later one, when the account's time has passed", arguments: Engine.stores)
    func late(engine: Engine) async throws {
        try await withSubscriber(engine) { store, anna, receiver in
            let email = anna.account.email
            try await set(store, of: email) { $0.delay = .seconds(3600) }
            try await anna.buy("small")
            try await SigningNotifications(store.context, authority: store.service.authority)()
            try await set(store, of: email)
            try await anna.setRenewal(false)
            try await settle(store)
            #expect(receiver.kinds == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
            _ = try await store.service.move(clockOf: email, .by(.seconds(3599)))
            try await settle(store)
            #expect(receiver.requests.count == 1)
            _ = try await store.service.move(clockOf: email, .by(.seconds(1)))
            try await settle(store)
            #expect(receiver.kinds.last == "SUBSCRIBED/INITIAL_BUY" && receiver.requests.count == 2)
        }
    }

    @Test("A dropped notification is in the history, and is sent when it is sent again", arguments: Engine.stores)
    func dropped(engine: Engine) async throws {
        try await withSubscriber(engine) { store, anna, receiver in
            try await set(store) { $0.isDropped = true }
            try await anna.buy("small")
            try await settle(store)
            let delivery = try await delivery(store)
            #expect(receiver.requests.isEmpty)
            #expect(delivery.state == .failed && delivery.attempts.map(\.result) == [.noResponse])
            var filter = NotificationFilter(start: WallTime(milliseconds: 0), end: store.clock.now)
            filter.onlyFailures = true
            let history = try await ReadingNotificationHistory(store.context)(filter, in: Self.app, after: nil)
            #expect(history.notifications.map(\.notification.identifier) == [delivery.notification])

            try await ListingNotifications(store.context).sendAgain(delivery.notification)
            try await settle(store)
            #expect(receiver.kinds == ["SUBSCRIBED/INITIAL_BUY"])
        }
    }

    @Test("Attempts fail without a request, and the retries after them succeed", arguments: Engine.stores)
    func failures(engine: Engine) async throws {
        try await withSubscriber(engine) { store, anna, receiver in
            let email = anna.account.email
            _ = try await store.service.change(account: email, .init(switches: [.retriesNotifications: true]))
            try await set(store, of: email) { $0.failures = 2 }
            try await anna.buy("small")
            try await settle(store)
            for hours in [1, 12] {
                #expect(receiver.requests.isEmpty)
                _ = try await store.service.move(clockOf: email, .by(.seconds(hours * 3600)))
                try await settle(store)
            }
            #expect(receiver.kinds == ["SUBSCRIBED/INITIAL_BUY"])
            let delivery = try await delivery(store)
            #expect(delivery.attempts.map(\.result) == [.unsuccessfulStatus, .unsuccessfulStatus, .success])
        }
    }

    @Test("An account's own mode replaces that of all, and goes with the account", arguments: Engine.stores)
    func accounts(engine: Engine) async throws {
        try await withSubscriber(engine) { store, anna, receiver in
            let email = anna.account.email
            try await set(store) { $0.isDropped = true }
            try await set(store, of: email) { $0.isSentTwice = true }
            let setting = SettingDeliveryMode(store.context)
            #expect(try await setting().map(\.email) == [nil, email])
            try await anna.buy("small")
            try await settle(store)
            #expect(receiver.requests.count == 2)
            try await ClosingAccount(store.context)(email: email)
            #expect(try await setting().map(\.email) == [nil])
            await #expect(throws: DomainError.self) { try await set(store, of: "nobody@example.com") }
        }
    }

    @Test("Values that don't fit together are refused")
    func refusals() async throws {
        try await withSubscriber(.sqliteMemory) { store, _, _ in
            for change in [
                { $0.failures = 7 }, { $0.failures = -1 }, { $0.delay = .seconds(367 * 86_400) },
                { ($0.isDropped, $0.isSentTwice) = (true, true) }, { ($0.isDropped, $0.failures) = (true, 1) },
                { ($0.isOutOfOrder, $0.delay) = (true, .seconds(1)) },
            ] as [(inout DeliveryMode) -> Void] {
                await #expect(throws: DomainError.self) { try await set(store, change) }
            }
            let modes = try await store.count("notification_mode")
            #expect(modes == 0)
        }
    }

    @Test("A notification that is held while the mode ends isn't held for good", arguments: Engine.stores)
    func race(engine: Engine) async throws {
        try await engine.withTwoDatabases(hasTables: true) { one, other in
            let store = try await TestStore(one, notifications: RecordedNotifications())
            let second = try await TestStore(other, seed: 8, notifications: RecordedNotifications())
            try await ChangingNotificationAddresses(store.context).add(Self.url, of: Self.app)
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            for number in 0..<10 {
                try await set(store) { $0.isOutOfOrder = true }
                try await phone.buy("juice", request: "\(number)", as: anna)
                async let signed: Void = SigningNotifications(store.context, authority: store.service.authority)()
                async let ended: Void = set(second)
                _ = try await (signed, ended)
                #expect(try await store.count("notification_delivery", where: "state = 'held'") == 0)
            }
        }
    }

    @Test("Notifications of one millisecond are listed in the order of their causes", arguments: Engine.stores)
    func order(engine: Engine) async throws {
        try await withSubscriber(engine) { store, anna, receiver in
            try await anna.buy("small")
            for _ in 0..<12 { for isOn in [false, true] { try await anna.setRenewal(isOn) } }
            try await settle(store)
            #expect(receiver.requests.count == 25)
            let sent = receiver.requests.compactMap { $0.notification?.notificationUUID }
            let listing = ListingNotifications(store.context)
            #expect(try await listing(of: Self.app).map(\.notification.identifier) == sent.reversed())
            #expect(try await listing().map(\.notification.identifier) == sent.reversed())
            #expect(try await listing(before: sent[3]).map(\.notification.identifier) == sent[..<3].reversed())

            let filter = NotificationFilter(start: WallTime(milliseconds: 0), end: store.clock.now)
            let history = ReadingNotificationHistory(store.context)
            let first = try await history(filter, in: Self.app, after: nil)
            let token = try #require(first.next?.text)
            let rest = try await history(filter, in: Self.app, after: NotificationFilter.Place(token))
            let both = (first.notifications + rest.notifications).map(\.notification.identifier)
            #expect(both == sent.reversed() && rest.next == nil)
        }
    }
}
