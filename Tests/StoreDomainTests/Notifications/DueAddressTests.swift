// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The addresses to which a round sends.
struct DueAddressTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)
    private static let first = "https://seller.example/z"
    private static let second = "https://seller.example/a"

    @Test("A round has the addresses that wait the longest, and none that isn't due", arguments: Engine.stores)
    func due(engine: Engine) async throws {
        let receiver = RecordedNotifications { $0.url == Self.first ? .timedOut : .success }
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: receiver)
            let changing = ChangingNotificationAddresses(store.context)
            let sending = SendingNotifications(store.context)
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            _ = try await store.service.change(
                account: anna.email, .init(switches: [.retriesNotifications: true]))
            #expect(try await sending.addresses().isEmpty)
            for (number, url) in [Self.first, Self.second].enumerated() {
                try await changing.add(url, of: Self.app)
                _ = try await phone.buy("juice", request: "\(number)", as: anna)
                try await SigningNotifications(store.context, authority: store.service.authority)()
                // A former address still gets the ordered deliveries.
                try await changing.remove(url, of: Self.app)
                store.clock.advance(by: .seconds(1))
            }
            #expect(try await sending.addresses() == [Self.first, Self.second])
            #expect(try await sending.addresses(of: Self.app) == [Self.first, Self.second])
            #expect(try await sending.addresses(of: "com.example.other").isEmpty)
            let oldest = try await store.context.read { db in
                try NotificationDelivery.dueAddresses(of: "", limit: 1, db)
            }
            #expect(oldest == [Self.first])

            // The next attempt is due an hour later.
            await sending(to: Self.first)
            #expect(try await store.count("notification_delivery", where: "due_at IS NOT NULL") == 2)
            #expect(try await sending.addresses() == [Self.second])
            await sending(to: Self.second)
            #expect(try await sending.addresses().isEmpty)
        }
    }
}
