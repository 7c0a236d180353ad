// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Synchronization
import Testing

/// The subscribers of a product are informed of a higher price page by page: each
/// of them once, also when a process ends in between.
@Suite(.timeLimit(.hang))
struct TellingSubscribersTests {
    /// Subscribers of the small basket, and one of another product.
    private func subscribers(_ store: TestStore, _ count: Int = 5) async throws -> [Subscriber] {
        try await store.sellBaskets()
        var all: [Subscriber] = []
        for number in 0...count {
            let customer = try await store.subscriber(number)
            try await customer.buy(number == count ? "large" : "small")
            all.append(customer)
        }
        return all
    }

    private func timesTold(_ all: [Subscriber], on store: TestStore) async throws -> [Int] {
        var times: [Int] = []
        for customer in all {
            times.append(
                try await Subscriber(store: store, account: customer.account, phone: customer.phone).timesTold())
        }
        return times
    }

    @Test("Small pages tell every subscriber of the product once", arguments: Engine.stores)
    func pages(engine: Engine) async throws {
        for size in [1, 2, 3, 6, 7] {
            try await engine.withStore { store in
                let all = try await subscribers(store)
                try await store.schedule("small", "5.99")
                try await store.applyPrices(pageSize: size, pages: 1)
                #expect(try await timesTold(all, on: store) == [1, 1, 1, 1, 1, 0], "\(size)")
                #expect(try await store.changes().first?.finished != nil)
            }
        }
    }

    @Test("A subscription that can't be read is reported, and the others are informed", arguments: Engine.stores)
    func unreadable(engine: Engine) async throws {
        try await engine.withStore { store in
            let all = try await subscribers(store, 3)
            let broken = try await all[1].subscription().subscription.original
            try await store.context.database.write { connection in
                try connection.run(
                    "UPDATE subscription_event SET details = '{' WHERE original_transaction_id = $1", [broken])
            }
            try await store.schedule("small", "5.99")
            let failures = Mutex(0)
            let hasMore = try await ApplyingPriceChanges(store.context)(
                report: { _ in failures.withLock { $0 += 1 } })
            #expect(!hasMore && failures.withLock { $0 } == 1)
            #expect(try await timesTold([all[0], all[2]], on: store) == [1, 1])
            #expect(try await store.changes().first?.finished != nil)
        }
    }

    @Test("A change that is carried out again informs no subscriber twice", arguments: Engine.stores)
    func again(engine: Engine) async throws {
        try await engine.withStore { store in
            let all = try await subscribers(store, 2)
            try await store.raise(to: "5.99")
            try await store.context.database.write { connection in
                try connection.run("UPDATE price_change SET told_after = NULL, finished_at = NULL, leased_until = 0")
            }
            try await all[0].setRenewal(false)
            try await store.applyPrices()
            #expect(try await timesTold(all, on: store) == [1, 1, 0])
        }
    }

    @Test("A process dies at each step, and another one tells the rest", arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        for step in ["price:before", "price:after", "tell:before", "tell:after", "tell:page"] {
            try await engine.withDatabase(hasTables: true) { database in
                let clock = TestClock()
                let mortal = MortalDatabase(database)
                let reached = Mutex(0)
                let dying = try await TestStore(
                    mortal, clock: clock,
                    faults: { name in
                        guard name == step else { return }
                        reached.withLock { $0 += 1 }
                        // The second subscriber, so that one is informed.
                        if reached.withLock({ $0 }) == 2 || step.hasPrefix("price") { mortal.die() }
                    })
                let all = try await subscribers(dying)
                try await dying.schedule("small", "5.99")
                _ = try? await ApplyingPriceChanges(dying.context, pageSize: 2)()
                #expect(mortal.isDead, "\(step) wasn't reached")

                let store = try await TestStore(database, clock: clock, seed: 8)
                try await store.endLeases()
                try await store.context.database.write { try $0.run("UPDATE price_change SET leased_until = 0") }
                try await store.applyPrices(pageSize: 2)
                #expect(try await timesTold(all, on: store) == [1, 1, 1, 1, 1, 0], "\(step)")
                #expect(try await store.price(of: "small") == 5990)
            }
        }
    }

    @Test("Two nodes at the same time tell each subscriber once", arguments: Engine.stores)
    func twoNodes(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let all = try await subscribers(nodes.first)
            try await nodes.first.schedule("small", "5.99")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        _ = try await ApplyingPriceChanges(nodes[number].context, pageSize: 1, pages: 2)()
                    }
                }
                try await group.waitForAll()
            }
            try await nodes.first.applyPrices(pageSize: 1)
            #expect(try await timesTold(all, on: nodes.first) == [1, 1, 1, 1, 1, 0])
            #expect(try await nodes.first.changes().first?.finished != nil)
        }
    }

    @Test("The account's devices get an event of each change", arguments: Engine.stores)
    func events(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await subscribers(store, 1)[0]
            try await store.raise(to: "12.99")
            #expect(try await store.count("event", where: "kind = 'price-increase'") == 1)
            for _ in 0..<2 { try await anna.answerIncrease(true) }
            try await anna.answerIncrease(false)
            #expect(try await store.count("event", where: "kind = 'price-increase'") == 3)
        }
    }
}
