// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreTestSupport
import Testing

/// Any sequence of actions and advances keeps the books in order.
@Suite(.timeLimit(.hang))
struct SubscriptionPropertyTests {
    @Test(
        "Paid time has no gap but an expiry and no overlap, and the ledger matches the deliveries",
        arguments: Engine.stores)
    func sequences(engine: Engine) async throws {
        for seed in 1...(engine.isPostgreSQL ? 8 : 40) as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            try await engine.withStore { store in
                try await store.sellBaskets(graceDays: [0, 3, 16, 28][Int(seed % 4)])
                let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
                var actions: [SubscriberAction] = []
                for _ in 0..<30 {
                    let action = SubscriberAction.random(using: &generator)
                    actions.append(action)
                    try await action.perform(by: anna)
                }
                let story = "seed \(seed): \(actions)"
                _ = try await Self.check(anna, story)
                try await Self.settle(anna)
                let periods = try await Self.check(anna, story)
                try await store.checkMoney()
                if seed.isMultiple(of: 2) { try await Self.close(anna, periods, story) }
            }
        }
    }

    /// Checks the books as they are.
    ///
    /// - Returns: The number of periods.
    private static func check(_ anna: Subscriber, _ story: String) async throws -> Int {
        let listed = try await anna.subscriptions()
        #expect(Set(listed.map(\.subscription.group)).count == listed.count, "\(story)")
        var periods: [PaidTime.Paid] = []
        for each in listed {
            let events = try await anna.store.context.read { db in try each.subscription.history(db) }
            let again = try await anna.store.context.read { db in try each.subscription.history(db) }
            let paid = PaidTime(events)
            #expect(paid.mistakes.isEmpty, "\(paid.mistakes): \(story)")
            periods += paid.periods
            let history = SubscriptionHistoryCheck(events: events, again: again, tail: each.subscription.events)
            #expect(history.mistakes.isEmpty, "\(history.mistakes): \(story)")
        }
        try await SubscriptionBooks(of: anna).check(periods, story)
        return periods.count
    }

    /// Confirms the payments about which the bank still asks, and turns all
    /// renewals off, so that no amount stays set aside.
    static func settle(_ anna: Subscriber) async throws {
        let store = anna.store
        store.cardLimit.milliunits = .max
        try await SubscriberAction.askCustomer(false).perform(by: anna)
        for _ in 0..<10 { try await SubscriberAction.answerBank(true).perform(by: anna) }
        for place in 0..<2 { try await SubscriberAction.setRenewal(false, place: place).perform(by: anna) }
        try await store.recover()
        #expect(try await store.count("payment", where: "status IN ('reserved', 'pending', 'authorised')") == 0)
    }

    /// Closes the account: each subscription ends, and nothing is renewed.
    static func close(_ anna: Subscriber, _ periods: Int, _ story: String) async throws {
        try await ClosingAccount(anna.store.context)(email: anna.account.email)
        anna.store.clock.advance(by: .seconds(500 * 86_400))
        try await RenewingSubscriptions(anna.store.context)()
        var count = 0
        for each in try await anna.subscriptions() {
            let paid = try await anna.store.context.read { db in PaidTime(try each.subscription.history(db)) }
            #expect(paid.mistakes.isEmpty && !paid.isRunning, "\(paid.mistakes): \(story)")
            count += paid.periods.count
        }
        #expect(count == periods, "\(story)")
    }
}
