// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The whole books of a customer who changes the plan, or whose product isn't
/// sold any more.
@Suite(.timeLimit(.hang))
struct PlanStoryTests {
    @Test("An upgrade on day 10 of 30 gives two thirds of the price back", arguments: Engine.stores)
    func upgrade(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            // The period from 10 April has 30 days.
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2026-04-20 19:00:00")
            var story = try await Story(of: anna)

            try await anna.buy("large")
            try await store.recover()

            // 4.99 · 20 / 30 = 3.3266…
            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-04-20 19:00:00 upgraded large"],
                        ledger: ["2026-04-20 19:00:00 charge 9990 USD", "2026-04-20 19:00:00 refund -3320 USD"],
                        phone: ["large 2026-04-20 19:00:00"],
                        receipt: ["large 2026-04-20 19:00:00 to 2026-05-20 19:00:00"], now: ["large renews: active"]))
            #expect(
                try await story.go(to: "2026-05-21 00:00:00")
                    == Changes(
                        events: ["2026-05-19 19:00:00 authorised", "2026-05-20 19:00:00 renewed large"],
                        now: ["large renews: active"]
                    )
                    .paid("large", 9990, "2026-05-20 19:00:00", to: "2026-06-20 19:00:00"))
            try await store.checkMoney()
        }
    }

    @Test("A customer chooses a smaller basket, a year, and the large one again", arguments: Engine.stores)
    func changeOfMind(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("large")
            var story = try await Story(of: anna)

            try await anna.buy("small")
            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-04-10 19:00:00 plan chosen small"], now: ["large renews as small: active"]))
            _ = try await story.go(to: "2026-04-12 00:00:00")
            try await anna.buy("yearly")
            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-04-12 00:00:00 plan chosen yearly"], now: ["large renews as yearly: active"]))
            try await anna.buy("large")
            #expect(
                try await story.changes()
                    == Changes(events: ["2026-04-12 00:00:00 plan chosen large"], now: ["large renews: active"]))
            #expect(
                try await story.go(to: "2026-05-11 00:00:00")
                    == Changes(
                        events: ["2026-05-09 19:00:00 authorised", "2026-05-10 19:00:00 renewed large"],
                        now: ["large renews: active"]
                    )
                    .paid("large", 9990, "2026-05-10 19:00:00", to: "2026-06-10 19:00:00"))
        }
    }

    @Test("A downgrade begins at the renewal, and only then", arguments: Engine.stores)
    func downgrade(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("large")
            try await anna.buy("small")
            var story = try await Story(of: anna)

            #expect(
                try await story.go(to: "2026-05-10 18:59:59")
                    == Changes(
                        events: ["2026-05-09 19:00:00 authorised"], now: ["large renews as small: active"]))
            #expect(
                try await story.go(to: "2026-06-11 00:00:00")
                    == Changes(
                        events: [
                            "2026-05-10 19:00:00 renewed small", "2026-06-09 19:00:00 authorised",
                            "2026-06-10 19:00:00 renewed small",
                        ], now: ["small renews: active"]
                    )
                    .paid("small", 4990, "2026-05-10 19:00:00", to: "2026-06-10 19:00:00")
                    .paid("small", 4990, "2026-06-10 19:00:00", to: "2026-07-10 19:00:00"))
        }
    }

    @Test("A basket that isn't sold in the customer's country any more ends with reason 4", arguments: Engine.stores)
    func unsold(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            var story = try await Story(of: anna)
            try await store.service.limit(
                product: "small", of: BundleIdentifier(TestStore.bundleIdentifier), isNotSoldIn: ["USA"])

            // The first event is the check of a day ahead, which charges nothing.
            #expect(
                try await story.go(to: "2026-06-01 00:00:00")
                    == Changes(
                        events: ["2026-02-09 20:00:00 authorised", "2026-02-10 20:00:00 expired (4)"],
                        now: ["small ends (4): expired"]))
            #expect(try await store.count("payment") == 1)
        }
    }

    @Test("Two baskets of two groups go on beside one another", arguments: Engine.stores)
    func twoGroups(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 3)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.buy("paper")
            var story = try await Story(of: anna)
            // Enough for the paper, and not for the basket.
            store.cardLimit.milliunits = 3000

            #expect(
                try await story.go(to: "2026-02-11 00:00:00")
                    == Changes(
                        events: [
                            "2026-02-09 20:00:00 charge failed", "2026-02-09 20:00:00 authorised",
                            "2026-02-10 20:00:00 billing failed until 2026-02-13 20:00:00",
                            "2026-02-10 20:00:00 renewed paper",
                        ],
                        now: [
                            "small renews (2), retried, grace until 2026-02-13 20:00:00: billingGracePeriod",
                            "paper renews: active",
                        ]
                    )
                    .paid("paper", 2990, "2026-02-10 20:00:00", to: "2026-03-10 19:00:00"))
        }
    }
}
