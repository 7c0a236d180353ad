// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A store whose database has too much to do.
@Suite(.timeLimit(.hang))
struct OverloadTests {
    @Test(
        "A purchase on an overloaded database is refused before the payment, or completed",
        arguments: Engine.stores, 0..<6)
    func purchases(engine: Engine, accepted: Int) async throws {
        try await engine.withDatabase(hasTables: true) { opened in
            let database = OverloadedDatabase(opened)
            let store = try await TestStore(database)
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "1").sheet)

            database.refuse(after: accepted)
            do {
                _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
                database.recover()
                #expect(try await store.count("payment", where: "status = 'captured'") == 1)
            } catch {
                database.recover()
                let failure = store.service.failure(of: error, at: "a test")
                #expect(failure.code == .unavailable && failure.retryAfter == 2)
                #expect(try await store.count("payment", where: "status <> ''") == 0)
                _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            }

            #expect(try await store.ledger() == [990])
            #expect(try await phone.ask("apple", request: "1").transaction != nil)
        }
    }

    @Test("Payments are recovered on an overloaded database", arguments: Engine.stores)
    func recovery(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { opened in
            let database = OverloadedDatabase(opened)
            let store = try await TestStore(database)
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "1", as: anna)
            try await database.write { _ = try $0.run("UPDATE payment SET status = 'committed', leased_until = 0") }

            database.refuse(after: 0)
            try await RecoveringPayments(store.context)(begunUntil: WallTime(milliseconds: .max))

            #expect(!database.recover())
            #expect(try await store.count("payment", where: "status = 'captured'") == 1)
        }
    }

    @Test(
        "An overloaded database doesn't end the event stream, which reads the missed events later",
        arguments: Engine.stores)
    func streams(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { opened in
            let database = OverloadedDatabase(opened)
            let store = try await TestStore(database)
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.signIn(anna)
            let feed = try await store.service.feed(
                EventSubscription(
                    credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil))
            guard case .event = try await feed.next() else {
                Issue.record("the stream doesn't begin with the snapshot")
                return
            }

            database.refuse(after: 0)
            store.service.hub.receive([Announcement(.account(anna.identifier), 9)])
            store.service.hub.heartbeatOfAll()
            guard case .heartbeat = try await feed.next() else {
                Issue.record("the heartbeat is missing")
                return
            }

            #expect(database.recover())
            // Its announcement has a lower number than the one before.
            try await phone.buy("apple", request: "1", as: anna)
            await store.service.catchUp()
            var hasArrived = false
            while !hasArrived, case .event(let event)? = try await feed.next() {
                hasArrived = event.content is TransactionEvent
            }
            #expect(hasArrived)
        }
    }
}
