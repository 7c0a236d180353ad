// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The terms that a sheet shows are those of the purchase that follows.
@Suite(.timeLimit(.hang))
struct SubscriptionTermsTests {
    private func terms(
        of product: String, for anna: Subscriber, _ request: String = UUID().uuidString
    ) async throws -> (token: String, SubscriptionTerms) {
        let token = try anna.phone.token(try await anna.phone.ask(product, request: request).sheet)
        return (token, try #require(try await anna.store.service.sheet(token).terms))
    }

    @Test("A first purchase shows its rate and its first period", arguments: Engine.stores)
    func first(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-31 20:00:00")

            let terms = try await terms(of: "small", for: anna).1

            #expect(terms.change == .subscribe && terms.givenBack == nil && terms.paidUntil == nil)
            #expect(terms.price == Money(milliunits: 4990, currency: "USD"))
            let period = try #require(terms.paidPeriod())
            #expect(Subscriber.text(period.start) == "2026-01-31 20:00:00")
            #expect(Subscriber.text(period.end) == "2026-02-28 20:00:00")
            try await anna.buy("small")
            #expect(try await anna.periods() == ["small 2026-01-31 20:00:00 to 2026-02-28 20:00:00"])
        }
    }

    @Test("An upgrade shows the sum that it gives back", arguments: Engine.stores)
    func upgrade(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("small")
            try await anna.advance(.by(.seconds(10 * 86400)))

            let (token, terms) = try await terms(of: "large", for: anna)

            #expect(terms.change == .upgrade)
            #expect(terms.givenBack == Money(milliunits: 3320, currency: "USD"))
            _ = try await store.service.buy(
                onSheet: token, as: anna.account, shown: AgreedTerms(ShownTerms(terms)))
            #expect(try await anna.ledger().sorted() == [-3320, 4990, 9990])
        }
    }

    @Test("A downgrade shows when it begins, and the current product that nothing is charged", arguments: Engine.stores)
    func nothingNow(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("large")

            let later = try await terms(of: "yearly", for: anna).1
            #expect(later.change == .choose && later.paidPeriod() == nil)
            #expect(later.paidUntil.map(Subscriber.text) == "2026-05-10 19:00:00")
            try await anna.setRenewal(false)
            let (token, same) = try await terms(of: "large", for: anna)
            #expect(same.change == .keep && same.paidPeriod() == nil && same.state?.renews == false)
            _ = try await store.service.buy(onSheet: token, as: anna.account, shown: AgreedTerms(ShownTerms(same)))
            #expect(try await anna.subscription().state.renews)
            #expect(try await anna.ledger() == [9990])
        }
    }

    @Test("The shown end of an offer is the one after which the regular price is charged", arguments: Engine.stores)
    func offerEnd(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: "2026-01-31 20:00:00")
            func end(_ product: String) async throws -> String? {
                try await terms(of: product, for: anna).1.offerEnd.map(Subscriber.text)
            }

            #expect(try await end("small") == "2026-02-07 20:00:00")
            #expect(try await end("yearly") == "2026-07-31 19:00:00")
            #expect(try await end("plain") == nil)
            #expect(try await end("large") == "2026-04-30 19:00:00")
            try await anna.buy("large")
            // The second period of three is the next one, from the last day of February.
            #expect(try await end("large") == "2026-04-30 19:00:00")
            try await anna.advance(to: "2026-05-01 00:00:00")
            #expect(try await end("large") == nil)
            #expect(
                try await anna.periods().last == "large 2026-04-30 19:00:00 to 2026-05-31 19:00:00")
        }
    }

    @Test("A plan that would be charged after its page said otherwise isn't", arguments: Engine.stores)
    func overtaken(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("large")
            try await anna.setRenewal(false)
            let (token, terms) = try await terms(of: "small", for: anna)
            try await anna.advance(to: "2026-05-11 00:00:00")

            await #expect(throws: DomainError(.priceChanged, "")) {
                _ = try await store.service.buy(
                    onSheet: token, as: anna.account, shown: AgreedTerms(ShownTerms(terms)))
            }

            #expect(try await anna.ledger() == [9990])
            #expect(try await store.service.sheet(token).terms?.change == .subscribe)
            _ = try await store.service.buy(
                onSheet: token, as: anna.account, shown: AgreedTerms(price: terms.price, change: .subscribe))
            #expect(try await anna.ledger().sorted() == [4990, 9990])
        }
    }

    @Test("A sheet without an account shows a first purchase; another product has no terms", arguments: Engine.stores)
    func withoutAccount(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let phone = try await store.addDevice()
            let small = try phone.token(try await phone.ask("small", request: "1").sheet)
            let apple = try phone.token(try await phone.ask("apple", request: "2").sheet)

            #expect(try await store.service.sheet(small).terms?.change == .subscribe)
            #expect(try await store.service.sheet(apple).terms == nil)
        }
    }
}
