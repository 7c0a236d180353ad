// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService
import StoreTestSupport
import Synchronization
import Testing

/// A process ends, or another node acts, while a code is redeemed or made.
@Suite(.timeLimit(.hang))
struct CodeFaultTests {
    @Test("Of customers who redeem the last use on two nodes, one gets it", arguments: Engine.stores)
    func lastUse(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            try await nodes.first.sellCodes()
            _ = try await nodes.first.codes(TestStore.custom("SPRING-26", "any", limit: 2))
            var customers: [Subscriber] = []
            for number in 0..<4 {
                let one = try await nodes.first.subscriber(number)
                customers.append(Subscriber(store: nodes[number], account: one.account, phone: one.phone))
            }
            let results = try await withThrowingTaskGroup(of: DomainError.Code?.self) { group in
                for customer in customers { group.addTask { try await customer.refusal(of: "spring-26") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.filter { $0 == nil }.count == 2)
            #expect(results.filter { $0 == .codeUsed }.count == 2)
            #expect(try await nodes.first.redemptions() == 2)
            #expect(try await nodes.first.ledger() == [990, 990])
            try await nodes.first.checkMoney()
        }
    }

    @Test("A process dies at each step of a redemption, which uses the code once", arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        for step in [
            "reserve:before", "reserve:after", "authorise:before", "authorise:after", "commit:before", "commit:after",
            "capture:before", "capture:after",
        ] {
            try await engine.withDatabase(hasTables: true) { database in
                let clock = TestClock()
                let mortal = MortalDatabase(database)
                let isArmed = Mutex(false)
                let dying = try await TestStore(
                    mortal, clock: clock, faults: { if $0 == step, isArmed.withLock({ $0 }) { mortal.die() } })
                try await dying.sellCodes()
                let codes = try await dying.codes(TestStore.order("any", size: 1))
                let anna = try await dying.subscriber()
                let sheet = try await anna.codeSheet()
                isArmed.withLock { $0 = true }
                _ = try? await anna.redeem(codes[0], onSheet: sheet)
                #expect(mortal.isDead, "\(step) wasn't reached")

                let store = try await TestStore(database, clock: clock, seed: 8)
                try await store.sellCodes()
                try await store.recover()
                let found = Subscriber(store: store, account: anna.account, phone: anna.phone)
                _ = try? await found.redeem(codes[0], onSheet: sheet)
                #expect(try await found.ledger() == [990], "\(step)")
                #expect(try await store.redemptions() == 1, "\(step)")
                #expect(try await TestDevice(number: 1, store: store).queue().count == 1, "\(step)")
                try await store.checkMoney()
            }
        }
    }

    @Test("A word belongs to the first batch that takes it, also when its process dies", arguments: Engine.stores)
    func word(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let mortal = MortalDatabase(database)
            let dying = try await TestStore(mortal, faults: { if $0 == "codes:page" { mortal.die() } })
            try await dying.sellCodes()
            let order = TestStore.custom("SPRING-26", "any", limit: 5)
            _ = try? await dying.codes(order)

            let store = try await TestStore(database, seed: 8)
            var other = TestStore.custom("SPRING-26", "letter", limit: 5)
            other.batch = "other"
            do {
                _ = try await store.codes(other)
                Issue.record("Two batches have the same word.")
            } catch let error as DomainError {
                #expect(error.code == .exists)
            }
            #expect(try await store.codes(order) == ["SPRING-26"])
            #expect(try await store.count("offer_code") == 1)
        }
    }

    @Test("A batch that was interrupted can't be used, and is completed by the repeated call", arguments: Engine.stores)
    func interrupted(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let mortal = MortalDatabase(database)
            let pages = Mutex(0)
            let dying = try await TestStore(
                mortal,
                faults: { step in
                    guard step == "codes:page" else { return }
                    let page = pages.withLock { pages in
                        pages += 1
                        return pages
                    }
                    if page == 2 { mortal.die() }
                })
            try await dying.sellCodes()
            let order = TestStore.order("any", size: 600)
            await #expect(throws: (any Error).self) { try await dying.codes(order) }

            let store = try await TestStore(database, seed: 8)
            try await store.sellCodes()
            #expect(try await store.count("offer_code") == 500)
            let anna = try await store.subscriber()
            let first = OfferCodeText(seed: try #require(order.seed), batch: order.batch, number: 0).text
            #expect(try await anna.refusal(of: first) == .codeUnknown)
            let codes = try await store.codes(order)
            #expect(codes.count == 600 && codes[0] == first && Set(codes).count == 600)
            #expect(try await store.codes(order) == codes)
            #expect(try await store.count("offer_code") == 600)
            try await anna.redeem(codes[599])
            #expect(try await ManagingCodes(store.context).redeemed("b1").numbers == [599: 1])
        }
    }
}
