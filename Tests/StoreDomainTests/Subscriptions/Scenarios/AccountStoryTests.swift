// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// An account is barred, moved to another country or closed, while a period is
/// paid and while the store retries a charge.
@Suite(.timeLimit(.hang))
struct AccountStoryTests {
    private func change(_ change: ChangingAccount.Change, of anna: Subscriber) async throws {
        _ = try await anna.store.service.change(account: anna.account.email, change)
    }

    @Test("A barred account isn't charged, and its basket goes on when it is sold to again", arguments: Engine.stores)
    func barred(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 3)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            var story = try await Story(of: anna)

            try await change(.init(switches: [.barred: true]), of: anna)
            #expect(
                try await story.go(to: "2026-02-12 00:00:00")
                    == Changes(
                        events: [
                            "2026-02-09 20:00:00 charge failed",
                            "2026-02-10 20:00:00 billing failed until 2026-02-13 20:00:00",
                            "2026-02-11 20:00:00 charge failed",
                        ], now: ["small renews (2), retried, grace until 2026-02-13 20:00:00: billingGracePeriod"]))
            #expect(try await store.count("payment") == 1)
            try await change(.init(switches: [.barred: false]), of: anna)
            #expect(
                try await story.go(to: "2026-02-13 00:00:00")
                    == Changes(events: ["2026-02-12 20:00:00 recovered small"], now: ["small renews: active"])
                    .paid(
                        "small", 4990, "2026-02-10 20:00:00", to: "2026-03-10 19:00:00", at: "2026-02-12 20:00:00"))
        }
    }

    @Test(
        "An account that is barred while its card is retried isn't charged by the mended card", arguments: Engine.stores
    )
    func barredInRetry(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            store.cardLimit.milliunits = 0
            try await anna.advance(to: "2026-02-10 21:00:00")
            var story = try await Story(of: anna)

            try await change(.init(switches: [.barred: true]), of: anna)
            store.cardLimit.milliunits = .max

            let retries = try RenewalSpeed.realTime.retries(after: Subscriber.moment("2026-02-10 20:00:00"))
            #expect(
                try await story.go(to: "2026-06-01 00:00:00")
                    == Changes(
                        events: retries.map { "\(Subscriber.text($0)) charge failed" } + [
                            "2026-04-11 19:00:00 expired (2)"
                        ], now: ["small ends (2): expired"]))
        }
    }

    @Test(
        "An amount that was authorised before the account moved is collected, and before it was barred is released",
        arguments: Engine.stores)
    func authorised(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            try await anna.advance(to: "2026-02-09 21:00:00")
            var story = try await Story(of: anna)

            try await change(.init(storefront: "DEU"), of: anna)
            #expect(
                try await story.go(to: "2026-02-11 00:00:00")
                    == Changes(events: ["2026-02-10 20:00:00 renewed small"], now: ["small renews: active"])
                    .paid("small", 4990, "2026-02-10 20:00:00", to: "2026-03-10 19:00:00"))
            #expect(
                try await story.go(to: "2026-03-10 00:00:00")
                    == Changes(events: ["2026-03-09 19:00:00 authorised"], now: ["small renews: active"]))
            try await change(.init(switches: [.barred: true]), of: anna)
            #expect(
                try await story.go(to: "2026-03-12 00:00:00")
                    == Changes(
                        events: ["2026-03-10 19:00:00 billing failed", "2026-03-11 19:00:00 charge failed"],
                        now: ["small renews (2), retried: billingRetry"]))
            #expect(try await store.count("payment", where: "status IN ('voiding', 'voided')") == 1)
            try await store.checkMoney()
        }
    }

    @Test("An account that moves while its card is retried pays in its new currency", arguments: Engine.stores)
    func movedInRetry(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            store.cardLimit.milliunits = 0
            try await anna.advance(to: "2026-02-11 00:00:00")
            var story = try await Story(of: anna)

            try await change(.init(storefront: "DEU"), of: anna)
            store.cardLimit.milliunits = .max

            #expect(
                try await story.go(to: "2026-02-12 00:00:00")
                    == Changes(
                        events: ["2026-02-11 20:00:00 recovered small"],
                        ledger: ["2026-02-11 20:00:00 charge 4990 EUR"], phone: ["small 2026-02-10 20:00:00"],
                        receipt: ["small 2026-02-10 20:00:00 to 2026-03-10 19:00:00"], now: ["small renews: active"]))
            try await store.checkMoney()
        }
    }

    @Test(
        "A basket that isn't sold in the new country ends at the next retry of its card", arguments: Engine.stores)
    func movedAwayInRetry(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            store.cardLimit.milliunits = 0
            try await anna.advance(to: "2026-02-11 00:00:00")
            var story = try await Story(of: anna)
            try await store.service.limit(
                product: "small", of: BundleIdentifier(TestStore.bundleIdentifier), isNotSoldIn: ["DEU"])

            try await change(.init(storefront: "DEU"), of: anna)
            store.cardLimit.milliunits = .max

            #expect(
                try await story.go(to: "2026-06-01 00:00:00")
                    == Changes(
                        events: ["2026-02-11 20:00:00 expired (4)"],
                        now: ["small ends (4), grace until 2026-02-26 20:00:00: expired"]))
            try await store.checkMoney()
        }
    }

    @Test(
        "The basket of a closed account ends with reason 5: at its period's end, or immediately during a retry",
        arguments: Engine.stores)
    func closed(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 3)
            let (anna, berta) = (try await store.subscriber(), try await store.subscriber(1))
            // The clocks of closed accounts can't be moved.
            try await anna.buy("small")
            try await berta.buy("weekly")
            store.cardLimit.milliunits = 0
            store.clock.advance(by: .seconds(7 * 86_400 + 1))
            await store.service.renewSubscriptions()
            var (story, other) = (try await Story(of: anna), try await Story(of: berta))

            for customer in [anna, berta] { try await ClosingAccount(store.context)(email: customer.account.email) }
            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-01-09 03:04:06 renewal turned off (5)"],
                        phone: ["gone: small 2026-01-02 03:04:05"],
                        receipt: ["gone: small 2026-01-02 03:04:05 to 2026-02-02 03:04:05"], now: ["small: active"]))
            #expect(
                try await other.changes()
                    == Changes(
                        events: ["2026-01-09 03:04:06 renewal turned off (5)", "2026-01-09 03:04:06 expired (5)"],
                        phone: ["gone: weekly 2026-01-02 03:04:05"],
                        receipt: ["gone: weekly 2026-01-02 03:04:05 to 2026-01-09 03:04:05"],
                        now: ["weekly: expired"]))
            store.cardLimit.milliunits = .max
            store.clock.advance(by: .seconds(60 * 86_400))
            await store.service.renewSubscriptions()
            #expect(
                try await story.changes()
                    == Changes(events: ["2026-02-02 03:04:05 expired (5)"], now: ["small: expired"]))
            #expect(try await other.changes() == Changes(now: ["weekly: expired"]))
            try await store.checkMoney()
        }
    }
}
