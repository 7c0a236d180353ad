// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A customer's first periods at a lower price, or for nothing.
@Suite(.timeLimit(.hang))
struct IntroductoryOfferTests {
    private static let start = "2026-01-10 20:00:00"

    @Test("A free week is followed by paid months", arguments: Engine.stores)
    func trial(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            var story = try await Story(of: anna)

            try await anna.buy("small")
            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-01-10 20:00:00 subscribed small"],
                        ledger: ["2026-01-10 20:00:00 charge 0 USD"], phone: ["small 2026-01-10 20:00:00"],
                        receipt: ["small 2026-01-10 20:00:00 to 2026-01-17 20:00:00 trial"],
                        now: ["small renews: active"]))
            #expect(
                try await story.go(to: "2026-02-18 00:00:00")
                    == Changes(
                        events: [
                            "2026-01-16 20:00:00 authorised", "2026-01-17 20:00:00 renewed small",
                            "2026-02-16 20:00:00 authorised", "2026-02-17 20:00:00 renewed small",
                        ],
                        now: ["small renews: active"]
                    )
                    .paid("small", 4990, "2026-01-17 20:00:00", to: "2026-02-17 20:00:00")
                    .paid("small", 4990, "2026-02-17 20:00:00", to: "2026-03-17 19:00:00"))
            try await store.checkMoney()
        }
    }

    @Test("A trial that was cancelled isn't given again", arguments: Engine.stores)
    func cancelledTrial(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("small")
            try await anna.setRenewal(false)
            var story = try await Story(of: anna)

            #expect(
                try await story.go(to: "2026-01-18 00:00:00")
                    == Changes(
                        events: ["2026-01-17 20:00:00 expired (1)"], now: ["small ends (1): expired"]))

            try await anna.buy("small")
            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-01-18 00:00:00 subscribed small"], now: ["small renews: active"]
                    )
                    .paid("small", 4990, "2026-01-18 00:00:00", to: "2026-02-18 00:00:00"))
        }
    }

    @Test("A cancelled trial that is taken up again before its end goes on", arguments: Engine.stores)
    func resumedTrial(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("small")
            try await anna.setRenewal(false)
            // Buying the running plan turns its renewal on, and costs nothing.
            try await anna.buy("small")
            try await anna.advance(to: "2026-01-18 00:00:00")
            #expect(try await anna.ledger() == [0, 4990])
        }
    }

    @Test("Three cheap months are paid one by one, also when the card fails in the second", arguments: Engine.stores)
    func payAsYouGo(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("large")
            store.cardLimit.milliunits = 0
            try await anna.advance(to: "2026-02-12 00:00:00")
            #expect(try await anna.status() == .billingRetry)
            store.cardLimit.milliunits = .max
            try await anna.advance(to: "2026-05-01 00:00:00")

            #expect(try await anna.ledger() == [990, 990, 990, 9990])
            #expect(try await anna.offers() == ["large 1/3", "large 2/3", "large 3/3", "large"])
            #expect(
                try await anna.receiptFlags() == [
                    "large introductory", "large introductory", "large introductory", "large",
                ])
            try await store.checkMoney()
        }
    }

    @Test("Half a year is paid up front", arguments: Engine.stores)
    func payUpFront(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("yearly")
            try await anna.advance(to: "2026-07-11 00:00:00")
            #expect(
                try await anna.periods() == [
                    "yearly 2026-01-10 20:00:00 to 2026-07-10 19:00:00",
                    "yearly 2026-07-10 19:00:00 to 2027-07-10 19:00:00",
                ])
            #expect(try await anna.ledger() == [19_990, 49_990])
        }
    }

    @Test("An account has one introductory offer of a group, and another account its own", arguments: Engine.stores)
    func oncePerGroup(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("small")
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-02-01 00:00:00")
            try await anna.buy("large")
            #expect(try await anna.ledger() == [0, 9990])

            let ben = try await store.subscriber(1, at: Self.start)
            try await ben.buy("large")
            #expect(try await ben.offers() == ["large 1/3"])
        }
    }

    @Test("A refund doesn't bring the offer back", arguments: Engine.stores)
    func refunded(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            let bought = try await anna.buy("large")
            _ = try await RefundingPurchase(store.context)(TransactionIdentifier(bought.transactionIdentifier))
            #expect(try await anna.status() == .revoked)
            try await anna.advance(to: "2026-01-11 00:00:00")
            try await anna.buy("large")
            #expect(try await anna.offers() == ["large 1/3", "large"])
        }
    }

    @Test("A change of a running plan has no introductory offer", arguments: Engine.stores)
    func upgrade(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            try await anna.advance(to: "2026-01-11 00:00:00")
            try await anna.buy("large")
            try await store.recover()
            #expect(try await anna.offers() == ["plain", "large"])
            // The part of `plain` that wasn't used is given back.
            #expect(try await anna.ledger().sorted() == [-5950, 5990, 9990])
        }
    }

    @Test("An upgrade ends a trial, and gives nothing back", arguments: Engine.stores)
    func upgradeOfTrial(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("small")
            try await anna.advance(to: "2026-01-12 00:00:00")
            try await anna.buy("large")
            #expect(try await anna.ledger() == [0, 9990])
            #expect(
                try await anna.periods() == [
                    "small 2026-01-10 20:00:00 to 2026-01-17 20:00:00 upgraded",
                    "large 2026-01-12 00:00:00 to 2026-02-12 00:00:00",
                ])
        }
    }

    @Test("Another plan for the next period ends the cheap months", arguments: Engine.stores)
    func otherPlan(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("large")
            try await anna.buy("plain")
            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await anna.ledger() == [990, 5990])

            // A customer who takes the choice back keeps the cheap months.
            let ben = try await store.subscriber(1, at: Self.start)
            try await ben.buy("large")
            try await ben.buy("plain")
            try await ben.buy("large")
            try await ben.advance(to: "2026-02-11 00:00:00")
            #expect(try await ben.offers() == ["large 1/3", "large 2/3"])
        }
    }

    @Test("A price that rises during the trial isn't that of its customer", arguments: Engine.stores)
    func priceRisesDuringTrial(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("small")
            try await store.sellOffers(smallPrice: "6.99")
            try await anna.advance(to: "2026-01-18 00:00:00")
            #expect(try await anna.ledger() == [0, 4990])
        }
    }

    @Test("An offer that ends after the page was shown isn't replaced by the full price", arguments: Engine.stores)
    func offerEndsBeforeBuy(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            let token = try anna.phone.token(await anna.phone.ask("small", request: "r").sheet)
            let view = try await store.service.sheet(token, as: anna.account)
            #expect(view.price?.milliunits == 0)
            let shown = try #require(view.terms?.offer?.summary)

            try await store.sellOffers(offersTrial: false)
            await #expect(throws: (any Error).self) {
                _ = try await store.service.buy(
                    onSheet: token, as: anna.account,
                    shown: AgreedTerms(price: view.price, change: .subscribe, offer: shown))
            }
            // An offer of the same price that is another one is refused, too.
            try await store.sellOffers()
            await #expect(throws: (any Error).self) {
                _ = try await store.service.buy(
                    onSheet: token, as: anna.account,
                    shown: AgreedTerms(
                        price: view.price, change: .subscribe, offer: shown.replacing("P1W", with: "P1M")))
            }
            #expect(try await anna.ledger() == [])
            _ = try await store.service.buy(
                onSheet: token, as: anna.account,
                shown: AgreedTerms(price: view.price, change: .subscribe, offer: shown))
            #expect(try await anna.ledger() == [0])
        }
    }
}

extension Subscriber {
    /// The paid periods, each with its product and the place in its offer.
    func offers() async throws -> [String] {
        try await purchases().map { purchase in
            let place = purchase.term?.offer.map { " \($0.number)/\($0.periods)" } ?? ""
            return "\(purchase.productIdentifier)\(place)"
        }
    }

    /// The transactions of the app receipt with their flags of offers.
    func receiptFlags() async throws -> [String] {
        try contents(of: try await receipt()).inAppPurchases.map { purchase in
            "\(purchase.productIdentifier)\(purchase.isTrialPeriod == true ? " trial" : "")"
                + (purchase.isInIntroductoryPricePeriod == true ? " introductory" : "")
        }
    }

    private func purchases() async throws -> [Purchase] {
        try await ListingPurchases(store.context)(
            of: account.identifier, bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier)
        ).purchases
    }
}
