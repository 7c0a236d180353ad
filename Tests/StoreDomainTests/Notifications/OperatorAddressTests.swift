// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The operator's addresses for all apps, which other teams don't see.
struct OperatorAddressTests {
    private static let operators = "http://localhost:8000/operator"
    private static let app: BundleIdentifier = "com.example.other"

    /// A store with an address of the operator, and a team with an app and an
    /// address.
    private func withTeam(_ engine: Engine, _ body: (TestStore, TeamUser) async throws -> Void) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: RecordedNotifications())
            _ = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            try await ChangingNotificationAddresses(store.context).add(Self.operators)
            _ = try await store.service.registeringApp()(
                AppRegistration.Values(
                    bundleIdentifier: Self.app.rawValue, name: "Other", sku: "O", primaryLocale: "en_US"), by: other)
            try await RegisteringAddresses(store.context).add(
                AddressValues(url: TestStore.sellersServer, version: "2", environment: "Sandbox"), of: Self.app,
                by: other)
            try await body(store, other)
        }
    }

    /// The addresses of the newest notification's deliveries on the live page.
    private func activity(_ store: TestStore, _ user: TeamUser) async throws -> [String] {
        let entries = try await store.service.activity(ActivityFilter(), as: user)
        return entries.flatMap { entry -> [String] in
            guard case .notification(let listed) = entry.subject else { return [] }
            return listed.deliveries.map(\.url)
        }
    }

    @Test("Another team sees no delivery to them, and sends nothing to them again", arguments: Engine.stores)
    func hidden(engine: Engine) async throws {
        try await withTeam(engine) { store, other in
            try await RegisteringAddresses(store.context).sendTest(of: Self.app, by: other)
            _ = try await store.service.settleNotifications(of: "", within: .seconds(60))
            let listing = ListingNotifications(store.context)
            let whole = try #require(try await listing(of: Self.app).first)
            #expect(whole.deliveries.map(\.url) == [Self.operators, TestStore.sellersServer])
            #expect(try await activity(store, other) == [TestStore.sellersServer])
            let page = [whole.notification]
            let operators = try await store.context.read { db in
                try ListingNotifications.listed(page, for: Team.ofTheStore, db)
            }
            #expect(operators.first?.deliveries == whole.deliveries)
            let history = ReadingNotificationHistory(store.context)
            let filter = NotificationFilter(start: WallTime(milliseconds: 0), end: store.clock.now)
            for (team, urls) in [
                (other.team, [TestStore.sellersServer]), (Team.ofTheStore, [Self.operators, TestStore.sellersServer]),
            ] {
                let found = try await history(filter, in: Self.app, for: team, after: nil).notifications
                #expect(found.first?.deliveries.map(\.url) == urls)
                let test = try await history.test(whole.notification.identifier, in: Self.app, for: team)
                #expect(test.deliveries.map(\.url) == urls)
            }

            try await listing.sendAgain(whole.notification.identifier, for: other.team)
            let again = try await listing.find(whole.notification.identifier)
            #expect(again.deliveries.map(\.state) == [.delivered, .due])
        }
    }

    @Test("A delivery to them that waits delays no test of another team", arguments: Engine.stores)
    func test(engine: Engine) async throws {
        try await withTeam(engine) { store, other in
            let registering = RegisteringAddresses(store.context)
            try await registering.sendTest(of: Self.app, by: other)
            try await SigningNotifications(store.context, authority: store.service.authority)()
            // The team's own delivery waits: a second test changes nothing.
            try await registering.sendTest(of: Self.app, by: other)
            try await SigningNotifications(store.context, authority: store.service.authority)()
            #expect(try await store.count("notification") == 1)

            await SendingNotifications(store.context)(to: TestStore.sellersServer)
            #expect(try await store.count("notification_delivery", where: "state = 'due'") == 1)
            store.clock.advance(by: .seconds(1))
            try await registering.sendTest(of: Self.app, by: other)
            try await SigningNotifications(store.context, authority: store.service.authority)()
            #expect(try await store.count("notification") == 2)
        }
    }

    @Test(
        "An address of a team that the operator adds reaches each address of the environment", arguments: Engine.stores)
    func operatorAdds(engine: Engine) async throws {
        try await withTeam(engine) { store, _ in
            let isInternetOnly = "is_internet_only = 1"
            #expect(try await store.count("notification_address", where: isInternetOnly) == 1)
            try await ChangingNotificationAddresses(store.context).add(TestStore.sellersServer, of: Self.app)
            #expect(try await store.count("notification_address", where: isInternetOnly) == 0)
            #expect(try await store.count("notification_address") == 2)
        }
    }
}
