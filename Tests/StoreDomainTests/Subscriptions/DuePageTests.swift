// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreTestSupport
import Testing

/// More subscriptions are due than are read at a time.
@Suite(.timeLimit(.hang))
struct DuePageTests {
    @Test("A round renews the subscriptions after the first hundred, too", arguments: Engine.stores)
    func secondPage(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellHundredPapers()
            let anna = try await store.subscriber(0)
            for number in 0..<100 { try await anna.buy("paper\(number)") }
            store.clock.advance(by: .seconds(1))
            let berta = try await store.subscriber(1)
            try await berta.buy("paper0")
            store.clock.advance(by: .seconds(7 * 86_400))
            #expect(try await store.count("subscription", where: "due_at <= \(store.clock.now.milliseconds)") == 101)

            try await RenewingSubscriptions(store.context)()

            for (customer, count) in [(anna, 200), (berta, 2)] {
                #expect(try await customer.periods().count == count)
            }
            #expect(try await store.count("subscription", where: "due_at <= \(store.clock.now.milliseconds)") == 0)
        }
    }
}

extension TestStore {
    /// Sells a hundred weekly papers, each of a group of its own.
    fileprivate func sellHundredPapers() async throws {
        let groups = (0..<100).map { number in
            """
            { "id" : "PAPER\(number)", "name" : "Paper \(number)", "localizations" : [], "subscriptions" : [
              \(Self.subscription("paper\(number)", "0", "P1W", 1, "PAPER\(number)")) ] }
            """
        }
        try await sell(
            Self.catalogue.replacing(
                "\"version\" :",
                with: """
                    "subscriptionGroups" : [ \(groups.joined(separator: ", ")) ],
                    "version" :
                    """))
    }
}
