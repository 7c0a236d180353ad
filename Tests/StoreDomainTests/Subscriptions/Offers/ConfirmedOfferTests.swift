// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A customer pays on the terms of the confirmed page, also when they change
/// before the payment or the renewal.
@Suite(.timeLimit(.hang))
struct ConfirmedOfferTests {
    private static let start = "2026-01-10 20:00:00"

    @Test("An interrupted trial isn't replaced by the full price when its offer has ended", arguments: Engine.stores)
    func interrupted(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.interrupts(true)
            try await anna.confirm("small", request: "first")
            try await anna.confirm("small", request: "second")
            try await store.sellOffers(offersTrial: false)
            let first = try #require(try await store.service.undecided().first?.transactionIdentifier)
            #expect(try await store.service.resolve(first).status == .failed)
            #expect(try await anna.ledger() == [])

            try await store.sellOffers()
            let second = try #require(try await store.service.undecided().first?.transactionIdentifier)
            #expect(try await store.service.resolve(second).status == .done)
            #expect(try await anna.ledger() == [0])
        }
    }

    @Test("A product that has become dearer while its payment waits isn't charged", arguments: Engine.stores)
    func dearer(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.subscriber(at: Self.start)
            try await anna.interrupts(true)
            for request in ["first", "second"] { try await anna.confirm("juice", request: request) }
            let waiting = try await store.service.undecided().compactMap(\.transactionIdentifier)
            try await store.service.setPrice(
                product: "juice", of: BundleIdentifier(TestStore.bundleIdentifier), in: nil, to: "49.99")
            #expect(try await store.service.resolve(waiting[0]).status == .failed)
            try await store.service.setPrice(
                product: "juice", of: BundleIdentifier(TestStore.bundleIdentifier), in: nil, to: "0.01")
            #expect(try await store.service.resolve(waiting[1]).status == .done)
            #expect(try await anna.ledger() == [10])
        }
    }

    @Test("Of two interrupted trials one is given, and the other one isn't charged", arguments: Engine.stores)
    func interruptedTwice(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.interrupts(true)
            for request in ["first", "second"] { try await anna.confirm("small", request: request) }
            let waiting = try await store.service.undecided().compactMap(\.transactionIdentifier)
            #expect(waiting.count == 2)
            #expect(try await store.service.resolve(waiting[0]).status == .done)
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-02-01 00:00:00")
            #expect(try await store.service.resolve(waiting[1]).status == .failed)
            #expect(try await anna.ledger() == [0])
        }
    }

    @Test("An offer that is chosen in another country than the running period's applies", arguments: Engine.stores)
    func moved(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            let moved = try await store.service.change(account: anna.account.email, .init(storefront: "DEU"))
            let ofGermany = Subscriber(store: store, account: moved, phone: anna.phone)
            try await ofGermany.buy("plain", seller.discount(offer: "free"))
            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await anna.ledger() == [5990, 0])
        }
    }

    @Test("The sheet of the running plan shows the offer that was chosen before", arguments: Engine.stores)
    func chosenBefore(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            try await anna.buy("plain", seller.discount())
            let sheet = try anna.phone.token(try await anna.phone.ask("plain", request: "again").sheet)
            let shown = try await store.service.sheet(sheet, as: anna.account).terms?.offer
            #expect(shown?.identifier == "spring")
            // Confirming it again doesn't record the offer a second time.
            try await anna.buy("plain")
            let chosen = try await anna.subscription().state.nextOffer
            #expect(chosen == shown)
            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await anna.ledger() == [5990, 1990])
        }
    }

    @Test("The cheap months go on when the chosen plan isn't sold any more", arguments: Engine.stores)
    func chosenPlanIsWithdrawn(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("large")
            try await anna.buy("plain")
            try await store.sellOffers(sellsPlain: false)
            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await anna.offers() == ["large 1/3", "large 2/3"])
        }
    }

    @Test("After an offer the price is at most the confirmed one, also of a chosen plan", arguments: Engine.stores)
    func priceAfterTheOffer(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("large")
            try await anna.buy("plain", seller.discount(offer: "free"))
            try await store.sellOffers(plainPrice: "9.99")
            try await anna.advance(to: "2026-02-25 00:00:00")
            #expect(try await anna.ledger() == [990, 0, 5990])
        }
    }
}

extension Subscriber {
    fileprivate func interrupts(_ interrupts: Bool) async throws {
        _ = try await store.service.change(account: account.email, .init(switches: [.interruptsPurchases: interrupts]))
    }

    /// Confirms the sheet of a payment, with the terms that it shows.
    fileprivate func confirm(_ product: String, request: String) async throws {
        let token = try phone.token(try await phone.ask(product, request: request).sheet)
        let view = try await store.service.sheet(token, as: account)
        _ = try await store.service.buy(onSheet: token, as: account, shown: view.shown.map(AgreedTerms.init))
    }
}
