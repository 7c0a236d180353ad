// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreService

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
            #expect(try await sending.addresses().map(\.url) == [Self.first, Self.second])
            #expect(try await sending.addresses(of: Self.app).map(\.url) == [Self.first, Self.second])
            #expect(try await sending.addresses(of: "com.example.other").isEmpty)
            let oldest = try await store.context.read { db in
                try NotificationDelivery.dueAddresses(of: "", limit: 1, db)
            }
            #expect(oldest.map(\.url) == [Self.first])

            // The next attempt is due an hour later.
            await sending(to: Self.first)
            #expect(try await store.count("notification_delivery", where: "due_at IS NOT NULL") == 2)
            #expect(try await sending.addresses().map(\.url) == [Self.second])
            await sending(to: Self.second)
            #expect(try await sending.addresses().isEmpty)
        }
    }

    @Test("An address has the team whose app it is of", arguments: Engine.stores)
    func teams(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: RecordedNotifications())
            let holder = try await store.setUpTeam()
            try await ChangingNotificationAddresses(store.context).add(Self.first, of: Self.app)
            _ = try await store.addDevice().buy("juice", request: "1", as: store.addAccount())
            try await SigningNotifications(store.context, authority: store.service.authority)()
            let due = try await SendingNotifications(store.context).addresses()
            #expect(due == [.init(url: Self.first, teams: [holder.team.rawValue])])
            // An address that is also one of all apps, or of another app, has a share of each.
            let changing = ChangingNotificationAddresses(store.context)
            try await changing.add(Self.first, of: "")
            try await changing.add(Self.first, of: "com.example.other")
            #expect(
                try await SendingNotifications(store.context).addresses() == [
                    .init(url: Self.first, teams: ["", "com.example.other", holder.team.rawValue])
                ])
        }
    }

    @Test("A round has few addresses of a team, so that those of the others are among them", arguments: Engine.stores)
    func many(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: RecordedNotifications())
            let changing = ChangingNotificationAddresses(store.context)
            for number in 0..<20 { try await changing.add("https://silent.example/\(number)", of: Self.app) }
            _ = try await store.addDevice().buy("juice", request: "1", as: store.addAccount())
            try await SigningNotifications(store.context, authority: store.service.authority)()
            let due = try await SendingNotifications(store.context).addresses()
            #expect(due.count == SendingNotifications.mostAddressesOfATeam && due.count < 20)
        }
    }

    @Test("A process sends to few addresses of a team at a time, and to each address once")
    func shares() {
        let busy = BusyAddresses()
        func address(_ number: Int, _ team: String) -> SendingNotifications.DueAddress {
            .init(url: "https://\(team).example/\(number)", teams: [team])
        }
        let most = SendingNotifications.busyAddressesOfATeam
        let begun = (0..<20).filter { busy.begin(address($0, "silent")) != nil }
        #expect(begun.count == most && busy.begin(address(0, "silent")) == nil)
        #expect(busy.begin(address(1, "honest")) == "honest")
        busy.end(address(0, "silent"))
        #expect(busy.begin(address(7, "silent")) != nil && busy.begin(address(8, "silent")) == nil)
        // An address of two teams begins while one of them has a place.
        // The look-up of a shared address is charged to the team whose share the address takes.
        #expect(busy.begin(.init(url: "https://shared.example", teams: ["silent", "victim"])) == "victim")
        busy.end(.init(url: "https://shared.example", teams: []))
        // All teams together have a limit, too.
        let others = (0..<200).filter { busy.begin(address(0, "team\($0)")) != nil }
        #expect(others.count == SendingNotifications.busyAddresses - most - 1)
    }
}
