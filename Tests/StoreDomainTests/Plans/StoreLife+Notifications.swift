// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

extension StoreLife {
    /// Signs and sends the notifications so far, lists them, sends one again
    /// and removes the address.
    func notify() async throws {
        let receiver = RecordedNotifications()
        var context = store.context
        context.notifications = receiver
        let app = BundleIdentifier(TestStore.bundleIdentifier)
        let signing = SigningNotifications(context, authority: store.service.authority)
        let sending = SendingNotifications(context)
        try await signing()
        for url in try await sending.addresses().map(\.url) { await sending(to: url) }
        #expect(!receiver.requests.isEmpty)

        try await deliver(context)
        try await listen(context)
        try await sendFormer(context)
        let listing = ListingNotifications(context)
        let newest = try #require(try await listing().first?.notification)
        _ = try await listing(of: app, before: newest.identifier)
        var filter = NotificationFilter(start: WallTime(milliseconds: 0), end: store.clock.now)
        let history = ReadingNotificationHistory(context)
        let first = try await history(filter, in: app, after: nil)
        #expect(!first.notifications.isEmpty)
        _ = try await history(filter, in: app, after: first.next)
        filter.onlyFailures = true
        filter.type = "REFUND"
        filter.subtype = ""
        _ = try await history(filter, in: app, after: nil)
        filter = NotificationFilter(start: filter.start, end: filter.end)
        filter.transaction = first.notifications.lazy.map(\.notification.transaction).first { !$0.rawValue.isEmpty }
        _ = try await history(filter, in: app, after: nil)
        try await listing.sendAgain(newest.identifier)
        #expect(try await !listing.isSettled(of: app))
        for address in try await sending.addresses(of: app) { await sending(to: address.url) }
        #expect(try await listing.isSettled(of: app))
        try await store.context.write(.key(newest.identifier)) { db in try newest.delete(db) }
        let changing = ChangingNotificationAddresses(context)
        for address in try await changing() {
            // One that exists stays.
            try await changing.add(address.url, of: address.bundleIdentifier)
            try await changing.remove(address.url, of: address.bundleIdentifier)
        }
    }

    /// Holds two notifications of a subscription, and delivers both.
    private func deliver(_ context: StoreContext) async throws {
        let setting = SettingDeliveryMode(context)
        var mode = DeliveryMode()
        mode.isOutOfOrder = true
        let anna = try await store.subscriber(77)
        try await setting(mode, email: nil)
        try await setting(mode, email: anna.account.email)
        try await anna.buy("small")
        try await anna.setRenewal(false)
        try await SigningNotifications(context, authority: store.service.authority)()
        #expect(try await setting().count == 2)
        for email in [nil, anna.account.email] { try await setting(DeliveryMode(), email: email) }
        let sending = SendingNotifications(context)
        for url in try await sending.addresses().map(\.url) { await sending(to: url) }
    }

    /// Sends notifications of version 1, with the rules of a tester's renewals.
    private func sendFormer(_ context: StoreContext) async throws {
        let url = "https://seller.example/former"
        try await ChangingNotificationAddresses(context).add(url, of: Self.listened, version: .one)
        let anna = try await store.subscriber(79)
        try await anna.buy("small")
        try await anna.setRenewal(false)
        var rules = TesterRules()
        rules.graceDays = 3
        try await SettingTesterRules(context)(rules, email: anna.account.email)
        try await SettingTesterRules(context)(TesterRules(), email: anna.account.email)
        try await SigningNotifications(context, authority: store.service.authority)()
        let sending = SendingNotifications(context)
        for url in try await sending.addresses().map(\.url) { await sending(to: url) }
    }

    /// Listens, takes a notification, and leaves another one.
    private func listen(_ context: StoreContext) async throws {
        let listening = ListeningToNotifications(context)
        let listener = try NotificationListener(String(repeating: "1", count: 32), of: Self.listened)
        let former = try NotificationListener(String(repeating: "2", count: 32), of: Self.listened)
        try await listening.goOn(former, confirming: [])
        store.clock.advance(by: NotificationListener.lifetime)
        try await listening.goOn(listener, confirming: [])
        #expect(try await listening.hasReceiver(of: Self.listened))
        #expect(try await !ReadingProducts(context)(of: Self.listened).isEmpty)
        let anna = try await store.subscriber(78)
        try await anna.buy("small")
        try await anna.setRenewal(false)
        try await SigningNotifications(context, authority: store.service.authority)()
        let first = try #require(try await listening.waiting(for: listener).first?.notification.identifier)
        try await listening.goOn(listener, confirming: [.init(notification: first, result: .success)])
        #expect(try await listening.waiting(for: listener).count == 1)
        try await listening.end(listener)
        let sending = SendingNotifications(context)
        for url in try await sending.addresses().map(\.url) { await sending(to: url) }
    }

    private static let listened = BundleIdentifier(TestStore.bundleIdentifier)
}
