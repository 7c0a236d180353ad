// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreTestSupport
import Testing

/// Any sequence of actions with offers, codes and prices keeps the books in
/// order.
@Suite(.timeLimit(.hang))
struct OfferPropertyTests {
    @Test(
        "Each period costs its offer, the kept price or the agreed one, and no offer or code is used twice",
        arguments: Engine.stores)
    func sequences(engine: Engine) async throws {
        var kinds: Set<String> = []
        for seed in 0..<(engine.isPostgreSQL ? 10 : 40) as Range<UInt64> {
            var generator = SeededGenerator(seed: 5000 + seed)
            try await engine.withStore { store in
                var customer = try await OfferedSubscriber(store, graceDays: [0, 3, 16, 28][Int(seed / 2 % 4)])
                var actions: [OfferAction] = []
                let opening = OfferAction.openings[Int(seed) % OfferAction.openings.count]
                for number in 0..<opening.count + 22 {
                    let action = number < opening.count ? opening[number] : .random(using: &generator)
                    actions.append(action)
                    try await customer.take(action)
                    let mistakes = customer.expected.mistakes
                    try #require(mistakes.isEmpty, "\(mistakes): seed \(seed): \(actions)")
                }
                let story = "seed \(seed): \(actions)"
                try await Self.check(customer, isSettled: false, story)
                try await SubscriptionPropertyTests.settle(customer.anna)
                try await customer.take(.plain(.recover))
                let periods = try await Self.check(customer, isSettled: true, story)
                try await store.checkMoney()
                kinds.formUnion(customer.expected.kinds)
                if seed % 5 == 0 { try await SubscriptionPropertyTests.close(customer.anna, periods, story) }
            }
        }
        #expect(OfferAction.kinds.subtracting(kinds).isEmpty)
    }

    /// Checks the books as they are.
    ///
    /// - Returns: The number of periods.
    @discardableResult
    private static func check(
        _ customer: OfferedSubscriber, isSettled: Bool, _ story: String
    ) async throws -> Int {
        let (expected, anna) = (customer.expected, customer.anna)
        #expect(expected.mistakes.isEmpty, "\(expected.mistakes): \(story)")
        var periods: [PaidTime.Paid] = []
        for each in try await anna.subscriptions() {
            let events = try await anna.store.context.read { db in try each.subscription.history(db) }
            let paid = PaidTime(events)
            #expect(paid.mistakes.isEmpty, "\(paid.mistakes): \(story)")
            periods += paid.periods
            let history = SubscriptionHistoryCheck(events: events, again: events, tail: each.subscription.events)
            #expect(history.mistakes.isEmpty, "\(history.mistakes): \(story)")
        }
        try await SubscriptionBooks(of: anna).check(periods, prices: expected.prices, story)
        try await customer.checkCodes(isSettled: isSettled, story)
        return periods.count
    }
}
