// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Moves of an account's clock, and the pages of events that follow.
@Suite(.timeLimit(.hang))
struct ClockTests {
    @Test("A month on the clock reaches the renewal of a month", arguments: Engine.stores)
    func month(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-02-20 20:00:00")
            try await anna.buy("small")

            #expect(
                try await anna.advance(.later(ClockDuration("1mo"))) == [
                    "2026-03-19 19:00:00 authorised", "2026-03-20 19:00:00 renewed small",
                ])
            #expect(try await anna.now == "2026-03-20 19:00:00")
            #expect(try await anna.advance(.toNextStep) == ["2026-04-19 19:00:00 authorised"])
        }
    }

    @Test("A store that ended after it has moved a clock goes on where it was", arguments: Engine.stores)
    func movedOnly(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            let advancing = AdvancingClock(store.context)

            let begun = try await advancing.begin(
                email: anna.account.email, .to(Subscriber.moment("2026-03-01 00:00:00")))
            #expect(try await anna.periods().count == 1)

            #expect(
                try await anna.advance(.later(ClockDuration())) == [
                    "2026-02-09 20:00:00 authorised", "2026-02-10 20:00:00 renewed small",
                ])
            // The positions of the first call have the same events.
            let page = try await advancing.goOn(with: anna.account.identifier, after: begun.positions)
            #expect(page.events.map(\.event.kind) == [.authorised, .renewed] && page.isLast)
            #expect(page.events.allSatisfy { $0.product == "small" })
            let rest = try await advancing.goOn(with: anna.account.identifier, after: page.positions)
            #expect(rest.events.isEmpty && rest.isLast)
        }
    }

    @Test("A clock isn't set back past the last event, moved to the next century, or without an event")
    func refused() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            await #expect(throws: DomainError(.notFound, "")) { try await anna.advance(.toNextStep) }
            try await anna.buy("small")
            try await anna.advance(to: "2026-03-01 00:00:00")

            let back = await #expect(throws: DomainError.self) { try await anna.advance(to: "2026-02-10 19:59:59") }
            #expect(back?.code == .invalid && back?.message.contains("2026-02-10T20:00:00Z") == true)
            for years in ["100y", "999999y999999y", "999999h999999h"] {
                let far = await #expect(throws: DomainError.self) {
                    try await anna.advance(.later(ClockDuration(years)))
                }
                #expect(far?.code == .invalid && far?.message.contains("2098") == true, "\(years)")
            }
            #expect(try await anna.now == "2026-03-01 00:00:00")
            #expect(try await anna.advance(to: "2026-02-10 20:00:00") == [])
        }
    }

    @Test("A clock isn't set back past the refund of a part, nor past a restore", arguments: Engine.stores)
    func booksWithoutEvents(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            let apple = try await anna.buy("apple")
            try await anna.advance(to: "2026-01-10 21:00:00")
            _ = try await store.service.refund(TransactionIdentifier(first.transactionIdentifier), amount: "1.00")
            try await anna.advance(to: "2026-01-10 23:00:00")

            func refusal(of moment: String) async -> String? {
                let error = await #expect(throws: DomainError.self) { try await anna.advance(to: moment) }
                return error?.code == .invalid ? error?.message : nil
            }
            #expect(await refusal(of: "2026-01-10 20:59:59")?.contains("2026-01-10T21:00:00Z") == true)
            #expect(try await anna.advance(to: "2026-01-10 21:00:00") == [])

            try await anna.advance(to: "2026-01-10 22:00:00")
            try await anna.phone.finish(apple.transactionIdentifier)
            #expect(try await anna.phone.restore(request: "restore").transactions.count == 1)
            try await anna.advance(to: "2026-01-10 23:00:00")
            #expect(await refusal(of: "2026-01-10 21:59:59")?.contains("2026-01-10T22:00:00Z") == true)
            #expect(try await anna.advance(to: "2026-01-10 22:00:00") == [])

            // The restore of another account on the same device doesn't count.
            let berta = try await store.subscriber(1, at: "2026-01-10 20:00:00")
            try await berta.buy("small")
            _ = try await anna.phone.call(SignOutCall(requestIdentifier: "out"))
            try await anna.phone.signIn(berta.account)
            try await berta.advance(to: "2026-01-10 23:00:00")
            #expect(try await berta.advance(to: "2026-01-10 20:00:00") == [])
        }
    }

    @Test("The events of years come in pages, complete and in their order", arguments: Engine.stores)
    func pages(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("weekly")
            try await anna.buy("free")

            let advanced = try await anna.advance(.later(ClockDuration("5y")))

            let list = ListingSubscriptionEvents(store.context)
            var events: [DatedEvent] = []
            var page = try await list(of: anna.account.identifier, after: [:])
            #expect(page.events.count == ListingSubscriptionEvents.pageSize && page.hasMore)
            events += page.events
            while page.hasMore {
                page = try await list(of: anna.account.identifier, after: page.positions)
                events += page.events
            }
            // Those of the two purchases are older than the move.
            #expect(events.count == advanced.count + 2)
            #expect(events.map(\.event.at) == events.map(\.event.at).sorted())
            for one in try await anna.subscriptions() {
                let own = events.filter { $0.original == one.subscription.original }
                #expect(own.map(\.number) == Array(1...Int64(own.count)))
                #expect(Set(own.map(\.product)) == [one.state.period.product])
            }
            #expect(try await list.newest(of: anna.account.identifier) == page.positions)
        }
    }

    @Test("An event has the product and the transaction of its own period", arguments: Engine.stores)
    func products(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let small = try await anna.buy("small")
            try await anna.advance(to: "2026-01-20 20:00:00")
            let large = try await anna.buy("large")
            _ = try await store.service.refund(TransactionIdentifier(small.transactionIdentifier))
            try await anna.setRenewal(false)

            let list = ListingSubscriptionEvents(store.context)
            let events = try await list(of: anna.account.identifier, after: [:]).events
            let told = events.map { "\($0.event.kind.rawValue) \($0.product) \($0.transaction)" }
            #expect(
                told == [
                    "subscribed small \(small.transactionIdentifier)",
                    "upgraded large \(large.transactionIdentifier)",
                    "refunded small \(small.transactionIdentifier)",
                    "renewal turned off large \(large.transactionIdentifier)",
                ])
            #expect(try await list.recent(of: anna.account.identifier) == Array(events.dropFirst()))
        }
    }
}

/// The words of the command line for lengths of time, and its moments.
struct ClockWordTests {
    @Test("A length of time is a sum of numbers with units")
    func lengths() throws {
        #expect(try ClockDuration("3d") == ClockDuration(days: 3))
        #expect(try ClockDuration("12h") == ClockDuration(seconds: 43_200))
        #expect(try ClockDuration("1y2w") == ClockDuration(months: 12, days: 14))
        #expect(try ClockDuration("2mo5m1s") == ClockDuration(months: 2, seconds: 301))
        #expect(try ClockDuration("0s") == ClockDuration())
        for text in ["", "3", "d", "-3d", "3 d", "3D", "1.5d", "3d4", "1234567d", "٣d", "3x", "3mon"] {
            #expect(throws: DomainError(.invalid, ""), "\(text)") { try ClockDuration(text) }
        }
        #expect(throws: DomainError(.invalid, "")) { try ClockDuration(String(repeating: "9h", count: 33)) }
    }

    @Test("A moment is a date, or a date with a time and a zone")
    func moments() throws {
        for (text, milliseconds) in [
            ("1970-01-01T00:00:00Z", nil), ("2026-03-01T00:00:00Z", 1_772_323_200_000),
            ("2026-03-01", 1_772_323_200_000), ("2026-03-01T02:30:00+02:30", 1_772_323_200_000),
            ("2026-02-28T19:00:00-05:00", 1_772_323_200_000), ("2026-03-01T00:00:00.25Z", 1_772_323_200_250),
            ("2028-02-29", 1_835_395_200_000),
        ] as [(String, Int64?)] {
            #expect(StoreTime(iso8601: text)?.milliseconds == milliseconds, "\(text)")
        }
        for text in [
            "", "2026", "2026-02-30", "2026-13-01", "2027-02-29", "2026-03-01T", "2026-03-01T00:00",
            "2026-03-01 00:00:00Z",
            "2026-03-01T00:00:00", "2026-03-01T24:00:00Z", "2026-03-01T00:60:00Z", "2026-03-01T00:00:00Zx",
            "2026-03-01T00:00:00.Z", "2026-03-01T00:00:00+0200", "+026-03-01", "٢٠٢٦-03-01", "1999-12-31T23:59:59Z",
        ] {
            #expect(StoreTime(iso8601: text) == nil, "\(text)")
        }
        #expect(StoreTime(milliseconds: 1_772_323_200_999).iso8601 == "2026-03-01T00:00:00Z")
    }
}
