// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Any sequence of actions and advances keeps the books in order.
@Suite(.timeLimit(.minutes(15)))
struct SubscriptionPropertyTests {
    private enum Action: CaseIterable {
        case buy, turnOff, turnOn, refund, breakCard, mendCard, advance, advanceFar, recover
    }

    @Test(
        "Paid time has no gap but an expiry and no overlap, and the ledger matches the deliveries",
        arguments: Engine.stores)
    func sequences(engine: Engine) async throws {
        for seed in 1...(engine.isPostgreSQL ? 8 : 30) as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            try await engine.withStore { store in
                try await store.sellBaskets(graceDays: [0, 3, 16, 28].randomElement(using: &generator) ?? 0)
                let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
                var actions: [Action] = []
                for _ in 0..<25 {
                    let action = try #require(Action.allCases.randomElement(using: &generator))
                    actions.append(action)
                    try await Self.perform(action, by: anna, &generator)
                }
                store.cardLimit.milliunits = .max
                try await store.checkMoney()
                try await Self.check(anna, "seed \(seed): \(actions)")
            }
        }
    }

    private static func perform(
        _ action: Action, by anna: Subscriber, _ generator: inout SeededGenerator
    ) async throws {
        switch action {
        case .buy:
            let products = ["small", "large", "other", "yearly", "weekly"]
            let product = products.randomElement(using: &generator) ?? "small"
            try await allowingRefusal { try await anna.buy(product) }
        case .turnOff, .turnOn:
            guard let listed = try await anna.subscriptions().first else { return }
            try await allowingRefusal {
                try await SettingRenewal(anna.store.context)(
                    action == .turnOn, of: listed.subscription.original, account: anna.account.identifier)
            }
        case .refund:
            guard let transaction = try await anna.phone.queue().randomElement(using: &generator) else { return }
            try await allowingRefusal {
                _ = try await anna.store.service.refund(TransactionIdentifier(transaction.transactionIdentifier))
            }
        case .breakCard: anna.store.cardLimit.milliunits = 0
        case .mendCard: anna.store.cardLimit.milliunits = .max
        case .advance: try await anna.advance(.by(.seconds(Int64.random(in: 0...(20 * 86400), using: &generator))))
        case .advanceFar: try await anna.advance(.by(.seconds(Int64.random(in: 0...(120 * 86400), using: &generator))))
        case .recover: try await anna.store.recover()
        }
    }

    private static func check(_ anna: Subscriber, _ story: String) async throws {
        let listed = try await anna.subscriptions()
        #expect(listed.count <= 1, "\(story)")
        for each in listed {
            let events = try await anna.store.context.read { db in try each.subscription.history(db) }
            let begun = events.filter { $0.period != nil }
            for (before, event) in zip(begun, begun.dropFirst()) {
                guard let period = event.period, let earlier = before.period else { continue }
                switch event.kind {
                case .renewed: #expect(period.start == earlier.end, "\(story)")
                case .upgraded: #expect(period.start < earlier.end, "\(story)")
                default:
                    let isRevoked = events.contains { $0.kind == .refunded && $0.transaction == earlier.transaction }
                    #expect(isRevoked || period.start >= earlier.end, "\(story)")
                }
            }
            // Computed twice, and from the tail alone, the state is the same.
            let whole = SubscriptionHistoryCheck(events: events, tail: each.subscription.events)
            #expect(whole.agrees, "\(story)")
        }
        let charges = try await ReadingLedger(anna.store.context)().filter { $0.kind == .charge }
        let periods = try await anna.periods()
        #expect(charges.count == periods.count, "\(story)")
    }
}

/// The state after a whole history, and after the events of its newest period.
private struct SubscriptionHistoryCheck {
    var events: [SubscriptionEvent]
    var tail: [SubscriptionEvent]

    var agrees: Bool {
        var whole = Subscription(original: "1", account: "1", bundleIdentifier: "1", group: "1", events: events)
        let moments = events.map(\.at)
        let states = moments.map { whole.state(at: $0) }
        guard states == moments.map({ whole.state(at: $0) }) else { return false }
        let newest = moments.max() ?? StoreTime(milliseconds: 0)
        let state = whole.state(at: newest)
        whole.events = tail
        return whole.state(at: newest) == state
    }
}
