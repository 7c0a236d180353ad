// SPDX-License-Identifier: Apache-2.0

import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Processes that die between the steps of a notification.
struct NotificationDeathTests {
    private static let steps = [
        "notification:signed", "notification:saved", "notification:sending", "notification:sent",
    ]

    @Test(
        "A process dies at each step, and the notification is sent at least once, with the same bytes",
        arguments: Engine.stores, steps)
    func dying(engine: Engine, step: String) async throws {
        try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
            let receiver = RecordedNotifications()
            try await ChangingNotificationAddresses(dying.context).add("https://seller.example/")
            let (anna, phone) = (try await dying.addAccount(), try await dying.addDevice())
            try await phone.buy("juice", request: "1", as: anna)
            try await send(dying, to: receiver)
            #expect(database.isDead, "\(step) wasn't reached")
            #expect(receiver.requests.count <= 1)

            let store = try await revive()
            try await ReleasingLeases(store.context)()
            for _ in 0..<2 { try await send(store, to: receiver) }
            // Only the database of a dead process is closed: it has sent the notification.
            let hasSent = ["notification:sending", "notification:sent"].contains(step)
            #expect(receiver.requests.count == (hasSent ? 2 : 1))
            #expect(Set(receiver.requests.map(\.body)).count == 1)
            #expect(try await store.count("notification") == 1)
            #expect(try await store.count("notification_delivery", where: "state = 'delivered'") == 1)
            #expect(try await store.count("notification_turn") == 0)
        }
    }

    @Test(
        "A process dies at each step of a purchase, which is notified of exactly if it is made",
        arguments: Engine.stores,
        ["reserve:after", "authorise:after", "commit:before", "commit:after", "capture:before"])
    func dyingAtTheCause(engine: Engine, step: String) async throws {
        try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
            let receiver = RecordedNotifications()
            try await ChangingNotificationAddresses(dying.context).add("https://seller.example/")
            let (anna, phone) = (try await dying.addAccount(), try await dying.addDevice())
            _ = try? await phone.buy("juice", request: "1", as: anna)
            #expect(database.isDead, "\(step) wasn't reached")

            let store = try await revive()
            // A process that has committed the purchase has ordered the notification.
            let isMade = ["commit:after", "capture:before"].contains(step)
            #expect(try await store.count("purchase") == (isMade ? 1 : 0))
            #expect(try await store.count("notification") == (isMade ? 1 : 0))
            try await store.recover()
            try await send(store, to: receiver)
            #expect(try await store.count("purchase") == 1)
            #expect(receiver.kinds == ["ONE_TIME_CHARGE"])
        }
    }

    /// A round of the housekeeping. The errors of a dead process are reported
    /// to nothing.
    private func send(_ store: TestStore, to receiver: RecordedNotifications) async throws {
        var context = store.context
        context.notifications = receiver
        try? await SigningNotifications(context, authority: store.service.authority)()
        let sending = SendingNotifications(context)
        for url in ((try? await sending.addresses()) ?? []).map(\.url) { await sending(to: url) }
    }
}
