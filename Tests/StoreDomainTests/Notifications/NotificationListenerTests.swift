// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Programs that take notifications from the sandbox.
@Suite(.timeLimit(.hang))
struct NotificationListenerTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)
    private static let identifier = String(repeating: "5e", count: 16)

    /// Runs a test with a listener of a store that has no address.
    private func withListener(
        _ engine: Engine, of app: BundleIdentifier = "",
        _ body: (TestStore, ListeningToNotifications, NotificationListener) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: RecordedNotifications())
            let listening = ListeningToNotifications(store.context)
            let listener = try NotificationListener(Self.identifier, of: app)
            try await listening.goOn(listener, confirming: [])
            try await store.sellBaskets()
            try await body(store, listening, listener)
        }
    }

    private func sign(_ store: TestStore) async throws {
        try await SigningNotifications(store.context, authority: store.service.authority)()
    }

    private func types(
        _ listening: ListeningToNotifications, _ listener: NotificationListener
    ) async throws -> [String] {
        try await listening.waiting(for: listener).map(\.notification.kind.type)
    }

    @Test("A listener gets each notification in order until it has confirmed it", arguments: Engine.stores)
    func order(engine: Engine) async throws {
        try await withListener(engine) { store, listening, listener in
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.setRenewal(false)
            try await sign(store)
            let waiting = try await listening.waiting(for: listener)
            #expect(waiting.map(\.notification.kind.type) == ["SUBSCRIBED", "DID_CHANGE_RENEWAL_STATUS"])
            #expect(waiting.allSatisfy { $0.notification.payload != nil })
            // The process died before it has confirmed them.
            #expect(try await listening.waiting(for: listener).count == 2)

            let first = try #require(waiting.first?.notification.identifier)
            for result in [NotificationResult.unsuccessfulStatus, .success] {
                try await listening.goOn(listener, confirming: [.init(notification: first, result: result)])
            }
            #expect(try await types(listening, listener) == ["DID_CHANGE_RENEWAL_STATUS"])
            let delivery = try #require(try await ListingNotifications(store.context).find(first).deliveries.first)
            #expect(delivery.state == .failed && delivery.attempts.map(\.result) == [.unsuccessfulStatus])

            try await ListingNotifications(store.context).sendAgain(first)
            #expect(try await types(listening, listener).sorted() == ["DID_CHANGE_RENEWAL_STATUS", "SUBSCRIBED"])
        }
    }

    @Test("The store calls no listener, and a test doesn't wait for one", arguments: Engine.stores)
    func addresses(engine: Engine) async throws {
        try await withListener(engine) { store, listening, listener in
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await phone.buy("juice", request: "1", as: anna)
            try await sign(store)
            #expect(try await SendingNotifications(store.context).addresses().isEmpty)
            #expect(try await ListingNotifications(store.context).isSettled(of: Self.app))
            #expect(try await ChangingNotificationAddresses(store.context)().isEmpty)
            #expect(try await types(listening, listener) == ["ONE_TIME_CHARGE"])
        }
    }

    @Test("A listener of another app gets nothing", arguments: Engine.stores)
    func apps(engine: Engine) async throws {
        try await withListener(engine, of: "com.example.other") { store, _, _ in
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await phone.buy("juice", request: "1", as: anna)
            #expect(try await store.count("notification") == 0)
        }
    }

    @Test("A listener that has ended or doesn't call leaves nothing behind", arguments: Engine.stores)
    func ends(engine: Engine) async throws {
        try await withListener(engine) { store, listening, listener in
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await phone.buy("juice", request: "1", as: anna)
            try await sign(store)
            for _ in 0..<2 { try await listening.end(listener) }
            #expect(try await store.count("notification_address") == 0)
            #expect(try await store.count("notification_delivery") == 0)

            try await listening.goOn(listener, confirming: [])
            #expect(try await listening.waiting(for: listener).isEmpty)
            store.clock.advance(by: NotificationListener.lifetime)
            try await phone.buy("juice", request: "2", as: anna)
            #expect(try await store.count("notification") == 1)
            let other = try NotificationListener(String(repeating: "6f", count: 16), of: "")
            try await listening.goOn(other, confirming: [])
            #expect(try await store.count("notification_address") == 1)
        }
    }

    @Test("A store has at most 20 listeners, with identifiers of one form")
    func limits() async throws {
        try await withListener(.sqliteMemory) { store, listening, listener in
            for number in 1..<NotificationListener.most {
                let text = String(repeating: "0", count: 30) + (number < 10 ? "0" : "") + "\(number)"
                try await listening.goOn(try NotificationListener(text, of: ""), confirming: [])
            }
            let last = try NotificationListener(String(repeating: "7", count: 32), of: "")
            await #expect(throws: DomainError.self) { try await listening.goOn(last, confirming: []) }
            try await listening.goOn(listener, confirming: [])
            let count = try await store.count("notification_address")
            #expect(count == NotificationListener.most)
            #expect(throws: DomainError.self) { try NotificationListener("A", of: "") }
        }
    }
}
