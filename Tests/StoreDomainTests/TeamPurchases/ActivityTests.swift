// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The entries of the live page.
struct ActivityTests {
    @Test(
        "A purchase is a request on a sheet, then bought, then finished, with its notification",
        arguments: Engine.stores)
    func purchase(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: RecordedNotifications())
            let holder = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            try await ChangingNotificationAddresses(store.context).add(
                TestStore.sellersServer, of: BundleIdentifier(TestStore.bundleIdentifier))
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            func entries(_ filter: ActivityFilter = ActivityFilter()) async throws -> [ActivityEntry] {
                try await store.service.activity(filter, as: holder)
            }
            func requests() async throws -> [(status: DeviceRequest.Status, isOnSheet: Bool, isUnfinished: Bool)] {
                try await entries().compactMap { entry in
                    guard case .request(let request, let isOnSheet) = entry.subject else { return nil }
                    return (request.status, isOnSheet, entry.isUnfinished)
                }
            }
            #expect(try await entries().isEmpty)
            let token = try phone.token(try await phone.ask("apple", request: "1").sheet)
            #expect(try await requests().map { $0 == (.open, true, false) } == [true])
            #expect(try await entries().map(\.tester) == [nil])
            _ = try await store.service.buy(onSheet: token, as: anna, shown: nil)
            #expect(try await requests().map { $0 == (.done, false, true) } == [true])
            let apple = try #require(try await phone.ask("apple", request: "1").transaction)
            try await phone.finish(apple.transactionIdentifier)
            _ = try await store.service.settleNotifications(of: "", within: .seconds(60))
            #expect(try await requests().map { $0 == (.done, false, false) } == [true])
            let whole = try await entries()
            #expect(whole.count == 2 && whole.allSatisfy { $0.tester?.identifier == anna.identifier })
            #expect(try await entries(ActivityFilter(tester: "ANNA@example.com ")).count == 2)
            for tester in ["berta@example.com", "\0", String(repeating: "x", count: 500)] {
                #expect(try await entries(ActivityFilter(tester: tester)).isEmpty)
            }
            try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))
            #expect(try await entries().contains { $0.isRefunded && !$0.isUnfinished })
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            let list = try await store.service.checklist(of: app, as: holder)
            #expect(list.isDone(.purchase) && !list.isDone(.finish), "A refund isn't the app's finish.")
            #expect(try await store.service.activity(.init(), as: other).isEmpty)
            await #expect(throws: DomainError(.notFound, "")) {
                _ = try await store.service.activity(
                    ActivityFilter(app: BundleIdentifier(TestStore.bundleIdentifier)), as: other)
            }
        }
    }

    @Test(
        "A declined card is an entry with its tester, and only the newest entries are shown", arguments: Engine.stores)
    func failures(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            for number in 0..<60 {
                store.clock.advance(by: .seconds(1))
                _ = try await phone.ask("juice", request: "\(number)")
            }
            _ = try await store.service.change(account: anna.email, .init(switches: [.declinesPayments: true]))
            store.clock.advance(by: .seconds(1))
            let token = try phone.token(try await phone.ask("apple", request: "declined").sheet)
            _ = try? await store.service.buy(onSheet: token, as: anna, shown: nil)
            let entries = try await store.service.activity(.init(), as: holder)
            #expect(entries.count == ActivityEntry.limit)
            guard case .request(let request, _) = entries[0].subject else {
                Issue.record("The newest entry is \(entries[0].subject).")
                return
            }
            #expect(request.productIdentifier == "apple" && entries[0].tester?.email == anna.email)
        }
    }
}
