// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The news of a request to buy, which every parent of the family gets.
struct ParentNoticeTests {
    /// The numbers of the requests that the devices of an account were sent.
    private func sent(to parent: Account, _ store: TestStore) async throws -> [String] {
        try await store.context.read { db in
            try db.rows(
                """
                SELECT transaction_id FROM event WHERE account_id = $1 AND kind = 'child-request'
                ORDER BY event_number
                """, [parent.identifier]
            ).map { try $0.get("transaction_id") }
        }
    }

    @Test("Every parent is notified of a request once, and no other member", arguments: Engine.stores)
    func everyParent(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let adult = try await store.person("ada", device: 21)
            _ = try await store.families.add(adult.email, as: .adult, organiser: home.olga.email)
            let tablet = TestDevice(number: 12, store: store)
            let stream = try await tablet.connection.events(
                EventSubscription(
                    credentials: tablet.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil))
            var events = stream.makeAsyncIterator()
            _ = try await events.next()

            let number = try await home.ask("apple", request: "r1")
            _ = try await home.phone.ask("apple", request: "r1")
            for _ in 0..<2 { await store.service.notifyParents() }

            for parent in [home.olga, home.paul] {
                #expect(try await sent(to: parent, store) == [number.rawValue])
            }
            for other in [home.carl, adult] { #expect(try await sent(to: other, store) == []) }
            let event = try #require(try await events.next()?.content as? ChildRequestEvent)
            #expect(event.transactionIdentifier == number.rawValue)
            #expect(try await store.count("parent_notice") == 0)
        }
    }

    @Test("A request that was answered meanwhile is no news", arguments: Engine.stores)
    func answered(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            try await store.service.decline(try await home.ask("apple", request: "r1"), by: home.paul)
            let number = try await home.ask("apple", request: "r2")
            _ = try await store.families.remove(home.paul.email)
            await store.service.notifyParents()

            #expect(try await sent(to: home.olga, store) == [number.rawValue])
            #expect(try await sent(to: home.paul, store) == [])
        }
    }

    @Test("An account without a family notifies no other one", arguments: Engine.stores)
    func alone(engine: Engine) async throws {
        try await engine.withStore { store in
            let child = try await store.addAccount(asksToBuy: true)
            let phone = try await store.addDevice()
            try await phone.signIn(child)
            #expect(try await phone.ask("apple", request: "1").status == .deferred)
            #expect(try await store.count("parent_notice") == 0)
        }
    }

    @Test("A request that was confirmed on a sheet notifies the parents too", arguments: Engine.stores)
    func onSheet(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let tablet = TestDevice(number: 33, store: store)
            _ = try await tablet.call(RegisterCall())
            let token = try tablet.token(try await tablet.ask("apple", request: "r1").sheet)
            _ = try await store.service.buy(onSheet: token, as: home.carl, shown: nil)
            await store.service.notifyParents()

            for parent in [home.olga, home.paul] { #expect(try await sent(to: parent, store).count == 1) }
        }
    }

    @Test("A process dies at each step, and another one notifies the rest once", arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        for step in ["notify:before", "notify:after"] {
            try await engine.withDatabase(hasTables: true) { database in
                let clock = TestClock()
                let mortal = MortalDatabase(database)
                let dying = try await TestStore(mortal, clock: clock, faults: { if $0 == step { mortal.die() } })
                let home = try await Household(in: dying)
                let number = try await home.ask("apple", request: "r1")
                await dying.service.notifyParents()
                #expect(mortal.isDead, "\(step) wasn't reached")

                let store = try await TestStore(database, clock: clock, seed: 8)
                await store.service.notifyParents()
                for parent in [home.olga, home.paul] {
                    #expect(try await sent(to: parent, store) == [number.rawValue], "\(step)")
                }
            }
        }
    }

    @Test("Nodes that notify at the same time notify each parent once", arguments: Engine.stores)
    func together(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let home = try await Household(in: nodes.first)
            for round in 0..<10 { _ = try await home.ask("juice", request: "r\(round)") }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<4 { group.addTask { await nodes[number].service.notifyParents() } }
            }
            for parent in [home.olga, home.paul] {
                #expect(Set(try await sent(to: parent, nodes.first)).count == 10)
                #expect(try await sent(to: parent, nodes.first).count == 10)
            }
        }
    }
}
