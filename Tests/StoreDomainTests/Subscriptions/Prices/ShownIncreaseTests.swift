// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A subscriber who asks for the running plan, or for another one, while a
/// higher price waits.
@Suite(.timeLimit(.hang))
struct ShownIncreaseTests {
    /// Anna pays 4.99, and is asked for 49.99 from 10 March on.
    private func told(_ store: TestStore) async throws -> Subscriber {
        try await store.sellBaskets()
        let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
        try await anna.buy("small")
        try await anna.advance(to: "2026-01-15 00:00:00")
        try await store.raise(to: "49.99")
        return anna
    }

    @Test(
        "Asking for the running plan shows the higher price and agrees to it", arguments: Engine.stores,
        ["no answer", "disagrees", "turns off"])
    func bought(engine: Engine, before: String) async throws {
        try await engine.withStore { store in
            let anna = try await told(store)
            switch before {
            case "disagrees": try await anna.answerIncrease(false)
            case "turns off": try await anna.setRenewal(false)
            default: break
            }
            let sheet = try anna.phone.token(try await anna.phone.ask("small", request: "again").sheet)
            let view = try await store.service.sheet(sheet, as: anna.account)
            #expect(view.price == Money(milliunits: 49_990, currency: "USD"))
            #expect(view.terms?.increase?.old.milliunits == 4990)
            #expect(view.terms?.increase?.new == view.price)
            #expect(view.terms?.increase.map { Subscriber.text($0.applies) } == "2026-03-10 19:00:00")

            _ = try await store.service.buy(onSheet: sheet, as: anna.account, shown: nil)

            let state = try await anna.subscription().state
            #expect(state.renews && state.priceIncrease?.isAgreed == true)
            try await anna.advance(to: "2026-03-15 00:00:00")
            #expect(try await anna.ledger() == [4990, 4990, 49_990])
        }
    }

    @Test("Another plan that turns the renewal on agrees to no higher price of this one", arguments: Engine.stores)
    func otherPlan(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await told(store)
            try await anna.answerIncrease(false)

            try await anna.buy("weekly")

            let state = try await anna.subscription().state
            #expect(state.renews && state.nextProduct == "weekly" && state.priceIncrease?.isAgreed == false)
            // The chosen plan is withdrawn: the subscription goes on as before.
            try await anna.advance(to: "2026-02-15 00:00:00")
            #expect(try await anna.ledger() == [4990, 1490])
        }
    }
}
