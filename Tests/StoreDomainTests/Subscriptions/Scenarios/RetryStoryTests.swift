// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// While the store retries a charge, the customer buys a basket of the group,
/// or the app's grace period is changed.
@Suite(.timeLimit(.hang))
struct RetryStoryTests {
    /// Anna's small basket isn't paid on 10 February. Her card is mended on
    /// 15 February.
    private func unpaid(_ store: TestStore, graceDays: Int) async throws -> Story {
        try await store.sellBaskets(graceDays: graceDays)
        let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
        try await anna.buy("small")
        store.cardLimit.milliunits = 0
        try await anna.advance(to: "2026-02-15 00:00:00")
        store.cardLimit.milliunits = .max
        return try await Story(of: anna)
    }

    @Test("The same basket, bought in the grace period, goes on where the paid period ended", arguments: Engine.stores)
    func boughtInGrace(engine: Engine) async throws {
        try await engine.withStore { store in
            var story = try await unpaid(store, graceDays: 16)

            try await story.subscriber.buy("small")

            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-02-15 00:00:00 recovered small"],
                        ledger: ["2026-02-15 00:00:00 charge 4990 USD"], phone: ["small 2026-02-10 20:00:00"],
                        receipt: ["small 2026-02-10 20:00:00 to 2026-03-10 19:00:00"], now: ["small renews: active"]))
            // The anchor is that of the first period.
            #expect(
                try await story.go(to: "2026-03-11 00:00:00")
                    == Changes(
                        events: ["2026-03-09 19:00:00 authorised", "2026-03-10 19:00:00 renewed small"],
                        now: ["small renews: active"]
                    )
                    .paid("small", 4990, "2026-03-10 19:00:00", to: "2026-04-10 19:00:00"))
            try await store.checkMoney()
        }
    }

    @Test("Another basket, bought in the grace period, begins now, and nothing is given back", arguments: Engine.stores)
    func otherInGrace(engine: Engine) async throws {
        try await engine.withStore { store in
            var story = try await unpaid(store, graceDays: 16)

            try await story.subscriber.buy("large")

            #expect(
                try await story.changes()
                    == Changes(events: ["2026-02-15 00:00:00 subscribed large"], now: ["large renews: active"])
                    .paid("large", 9990, "2026-02-15 00:00:00", to: "2026-03-14 23:00:00"))
            // The small one is retried no more.
            #expect(
                try await story.go(to: "2026-03-16 00:00:00")
                    == Changes(
                        events: ["2026-03-13 23:00:00 authorised", "2026-03-14 23:00:00 renewed large"],
                        now: ["large renews: active"]
                    )
                    .paid("large", 9990, "2026-03-14 23:00:00", to: "2026-04-14 23:00:00"))
            try await store.checkMoney()
        }
    }

    @Test("A basket that is bought in the retry without a grace period begins now", arguments: Engine.stores)
    func boughtInRetry(engine: Engine) async throws {
        for (product, kind, price) in [("small", "recovered", 4990), ("large", "subscribed", 9990)] {
            try await engine.withStore { store in
                var story = try await unpaid(store, graceDays: 0)

                try await story.subscriber.buy(product)

                #expect(
                    try await story.changes()
                        == Changes(
                            events: ["2026-02-15 00:00:00 \(kind) \(product)"], now: ["\(product) renews: active"]
                        )
                        .paid(product, Int64(price), "2026-02-15 00:00:00", to: "2026-03-14 23:00:00"))
                #expect(
                    try await story.go(to: "2026-03-16 00:00:00")
                        == Changes(
                            events: ["2026-03-13 23:00:00 authorised", "2026-03-14 23:00:00 renewed \(product)"],
                            now: ["\(product) renews: active"]
                        )
                        .paid(product, Int64(price), "2026-03-14 23:00:00", to: "2026-04-14 23:00:00"))
            }
        }
    }

    @Test("A grace period keeps the length that the app had when the charge failed", arguments: Engine.stores)
    func changedGrace(engine: Engine) async throws {
        try await engine.withStore { store in
            var story = try await unpaid(store, graceDays: 16)
            store.cardLimit.milliunits = 0
            let app = BundleIdentifier(TestStore.bundleIdentifier)

            for days in [3, 0] {
                try await SettingGracePeriod(store.context)(days: days, of: app)
                #expect(
                    try await story.changes()
                        == Changes(
                            now: ["small renews (2), retried, grace until 2026-02-26 20:00:00: billingGracePeriod"]))
            }
            store.cardLimit.milliunits = .max
            try await story.subscriber.buy("small")
            store.cardLimit.milliunits = 0

            // The next failure has the app's new setting: none.
            #expect(
                try await story.go(to: "2026-03-10 19:00:00")
                    == Changes(
                        events: [
                            "2026-02-15 00:00:00 recovered small", "2026-03-09 19:00:00 charge failed",
                            "2026-03-10 19:00:00 billing failed",
                        ], ledger: ["2026-02-15 00:00:00 charge 4990 USD"], phone: ["small 2026-02-10 20:00:00"],
                        receipt: ["small 2026-02-10 20:00:00 to 2026-03-10 19:00:00"],
                        now: ["small renews (2), retried: billingRetry"]))
        }
    }
}
