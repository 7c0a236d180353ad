// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The time in which parents have to answer, on every engine.
struct UnansweredRequestTests {
    private func withHousehold(
        _ engine: Engine, limit: Duration?, _ body: @escaping (Household) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            try await body(try await Household(in: try await TestStore(database, askToBuyLimit: limit)))
        }
    }

    @Test("Without a limit a request waits for weeks, and is then approved", arguments: Engine.stores)
    func unlimited(engine: Engine) async throws {
        try await withHousehold(engine, limit: nil) { home in
            let number = try await home.ask("apple", request: "r1")
            home.store.clock.advance(by: .seconds(60 * 86_400))
            await home.store.service.endUnansweredRequests()

            #expect(try await home.requests(for: home.olga).map(\.until) == [nil])
            try await home.approve(number, by: home.olga)
            #expect(try await home.phone.ask("apple", request: "r1").status == .purchased)
        }
    }

    @Test("A request without an answer is declined after the operator's limit", arguments: Engine.stores)
    func limited(engine: Engine) async throws {
        try await withHousehold(engine, limit: .seconds(86_400)) { home in
            let store = home.store
            let number = try await home.ask("apple", request: "r1")
            store.clock.advance(by: .seconds(86_399))
            await store.service.endUnansweredRequests()
            #expect(try await home.phone.ask("apple", request: "r1").status == .deferred)

            store.clock.advance(by: .seconds(1))
            // The page and an approval know it before the round.
            guard case .fails = try await home.requests(for: home.olga).first?.outcome else {
                Issue.record("It can still be approved.")
                return
            }
            await store.service.endUnansweredRequests()

            let answer = try await home.phone.ask("apple", request: "r1")
            #expect(answer.failure?.code == .paymentCancelled)
            #expect(try await store.count("device_news", where: "kind = 'request'") == 1)
            await home.refused(.decided) { try await home.approve(number, by: home.olga) }
            #expect(try await store.ledger() == [])
            #expect(try await home.phone.ask("apple", request: "r2").status == .deferred)
        }
    }

    @Test("An approval after the limit makes no purchase, also before the round", arguments: Engine.stores)
    func late(engine: Engine) async throws {
        try await withHousehold(engine, limit: .seconds(3600)) { home in
            let number = try await home.ask("apple", request: "r1")
            home.store.clock.advance(by: .seconds(3600))

            try await home.approve(number, by: home.olga)

            #expect(try await home.phone.ask("apple", request: "r1").status == .failed)
            #expect(try await home.store.ledger() == [])
        }
    }

    @Test("The limit is a time of the family: its moved clock ends a request", arguments: Engine.stores)
    func moved(engine: Engine) async throws {
        try await withHousehold(engine, limit: .seconds(86_400)) { home in
            let store = home.store
            _ = try await home.ask("apple", request: "r1")
            _ = try await store.service.move(clockOf: home.olga.email, .by(.seconds(86_399)))
            await store.service.endUnansweredRequests()
            #expect(try await home.phone.ask("apple", request: "r1").status == .deferred)
            _ = try await store.service.move(clockOf: home.olga.email, .by(.seconds(1)))
            await store.service.endUnansweredRequests()
            #expect(try await home.phone.ask("apple", request: "r1").status == .failed)
        }
    }

    @Test("A request whose payment was declined keeps its end", arguments: Engine.stores)
    func declined(engine: Engine) async throws {
        try await withHousehold(engine, limit: .seconds(3600)) { home in
            let number = try await home.ask("apple", request: "r1")
            home.store.cardLimit.milliunits = 100
            await home.refused(.declined) { try await home.approve(number, by: home.olga) }
            home.store.clock.advance(by: .seconds(3600))

            await home.store.service.endUnansweredRequests()

            #expect(try await home.phone.ask("apple", request: "r1").status == .failed)
        }
    }
}
