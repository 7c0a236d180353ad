// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Prices that begin at a moment.
@Suite(.timeLimit(.hang))
struct PriceChangeTests {
    @Test("A scheduled price begins at its moment, and its product is then an edited one", arguments: Engine.stores)
    func begins(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let start = store.clock.now + .seconds(3600)
            try await store.schedule("small", "6.99", starts: start, .keep)
            try await store.schedule("small", "5.49", in: "DEU", starts: start - .seconds(1), .keep)
            store.clock.advance(by: .seconds(3599))
            try await store.applyPrices()
            #expect(try await store.price(of: "small") == 4990)
            store.clock.advance(by: .seconds(1))
            for _ in 0..<2 { try await store.applyPrices() }

            #expect(try await store.price(of: "small") == 6990)
            #expect(try await store.price(of: "small", in: "DEU") == 5490)
            try await store.sellBaskets()
            #expect(try await store.price(of: "small") == 6990)
            let history = try await store.changes()
            #expect(history.map { $0.application?.previous } == [4990, 4990])
            #expect(history.allSatisfy { $0.finished != nil })
        }
    }

    @Test("A price that is set now is in the history, and keeps the scheduled one", arguments: Engine.stores)
    func setNow(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let bundle = BundleIdentifier(TestStore.bundleIdentifier)
            func set(_ price: String?, in country: String? = nil) async throws {
                store.clock.advance(by: .seconds(1))
                try await store.service.setPrice(product: "small", of: bundle, in: country, to: price)
            }
            let scheduled = try await store.schedule("small", "9.99", starts: store.clock.now + .seconds(3600))
            // The same price twice is one change; a country's price ends with its removal.
            for price in ["5.99", "5.99", "5.49"] { try await set(price) }
            for price in ["6.49", nil] { try await set(price, in: "DEU") }

            let history = try await store.changes()
            #expect(history.first?.identifier == scheduled.identifier && history.first?.application == nil)
            let begun = history.dropFirst().reversed()
            #expect(begun.map(\.milliunits) == [5990, 5490, 6490, 5490])
            #expect(begun.map { $0.application?.previous } == [4990, 5990, 5490, 6490])
            #expect(begun.map(\.storefront) == [nil, nil, "DEU", "DEU"])
            #expect(begun.allSatisfy { $0.finished == $0.starts && $0.subscribers == .keep })
            let first = try #require(begun.first)
            await #expect(throws: DomainError(.decided, "")) {
                try await SchedulingPriceChange(store.context).cancel(first.identifier)
            }
        }
    }

    @Test("A price that is set now is no earlier increase of a subscriber's price", arguments: Engine.stores)
    func setBeforeIncrease(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            try await anna.buy("small")
            try await store.service.setPrice(
                product: "small", of: BundleIdentifier(TestStore.bundleIdentifier), in: nil, to: "5.49")
            #expect(try await anna.increase() == nil)
            try await store.raise(to: "5.99")
            #expect(try await anna.increase()?.needsConsent == false)
        }
    }

    @Test("A second scheduled price replaces the first, and one that has begun stays", arguments: Engine.stores)
    func replaced(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let start = store.clock.now + .seconds(3600)
            let first = try await store.schedule("small", "6.99", starts: start)
            let second = try await store.schedule("small", "7.99", starts: start)
            #expect(try await store.changes().map(\.identifier) == [second.identifier])
            let scheduling = SchedulingPriceChange(store.context)
            try await scheduling.cancel(first.identifier)
            store.clock.advance(by: .seconds(3600))
            try await store.applyPrices()

            await #expect(throws: DomainError(.decided, "")) { try await scheduling.cancel(second.identifier) }
            let third = try await store.schedule("small", "8.99", starts: start + .seconds(3600))
            for _ in 0..<2 { try await scheduling.cancel(third.identifier) }
            #expect(try await store.changes().map(\.identifier) == [second.identifier])
        }
    }

    @Test(
        "A price in the past, too far ahead, or of an unknown product or country is refused", arguments: Engine.stores)
    func refused(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let now = store.clock.now
            for start in [now - .seconds(1), now + .seconds(3 * 366 * 86_400)] {
                await #expect(throws: DomainError(.invalid, "")) {
                    try await store.schedule("small", "1", starts: start)
                }
            }
            await #expect(throws: DomainError(.invalid, "")) { try await store.schedule("small", "-1") }
            await #expect(throws: DomainError(.invalid, "")) { try await store.schedule("small", "1", in: "XXX") }
            await #expect(throws: DomainError(.invalid, "")) { try await store.schedule("apple", "1", .change) }
            await #expect(throws: DomainError(.notFound, "")) { try await store.schedule("plum", "1") }
            #expect(try await store.count("price_change") == 0)
        }
    }

    @Test("A price that begins between the sheet and Buy charges nothing", arguments: Engine.stores)
    func onTheSheet(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            let sheet = try anna.phone.token(try await anna.phone.ask("small", request: "sheet").sheet)
            try await store.raise(to: "6.99")

            await #expect(throws: DomainError(.priceChanged, "")) {
                try await store.service.buy(
                    onSheet: sheet, as: anna.account,
                    shown: AgreedTerms(price: Money(milliunits: 4990, currency: "USD")))
            }
            #expect(try await store.ledger() == [])
            _ = try await store.service.buy(
                onSheet: sheet, as: anna.account, shown: AgreedTerms(price: Money(milliunits: 6990, currency: "USD")))
            #expect(try await store.ledger() == [6990])
        }
    }

    @Test("Subscribers of another storefront aren't informed of a price in one", arguments: Engine.stores)
    func storefront(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            try await anna.buy("small")
            try await store.raise(to: "5.99", in: "DEU")
            #expect(try await anna.timesTold() == 0)
            try await store.raise(to: "5.99", in: "USA")
            #expect(try await anna.timesTold() == 1)
            // The base price doesn't apply where the product has a price of its own.
            try await store.raise(to: "7.99")
            #expect(try await anna.timesTold() == 1)
        }
    }

    @Test("The sum that needs no consent has the proportion of the prices", arguments: Engine.stores)
    func allowance(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            for country in ["JPN", "NOR"] {
                try await store.service.setPrice(
                    product: "small", of: BundleIdentifier(TestStore.bundleIdentifier), in: country, to: "600")
            }
            var customers: [Subscriber] = []
            for (number, country) in ["JPN", "NOR"].enumerated() {
                let opened = try await store.subscriber(number)
                let moved = try await store.service.change(account: opened.account.email, .init(storefront: country))
                customers.append(Subscriber(store: store, account: moved, phone: opened.phone))
                try await customers[number].buy("small")
            }

            // 5 USD are 601.2 there, at a price of 600 for 4.99 USD.
            try await store.raise(to: "1201", in: "JPN")
            try await store.raise(to: "1202", in: "NOR")
            #expect(try await customers[0].increase()?.needsConsent == false)
            #expect(try await customers[1].increase()?.needsConsent == true)
        }
    }
}
