// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The events by which devices learn of a renewal that changes without a
/// transaction.
@Suite(.timeLimit(.hang))
struct RenewalEventTests {
    private static let start = "2026-01-10 20:00:00"

    @Test(
        "A renewal that is turned off or on is one event of the account, and its repetition none",
        arguments: Engine.stores)
    func renewal(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            for renews in [false, true] {
                let before = try await anna.eventNumber()
                try await anna.setRenewal(renews)
                #expect(try await anna.eventNumber() == before + 1)
                try await anna.setRenewal(renews)
                #expect(try await anna.eventNumber() == before + 1)
            }
            // A renewal that is paid has the event of its transaction only.
            let before = try await anna.eventNumber()
            try await anna.advance(to: "2026-02-12 00:00:00")
            #expect(try await anna.periods().count == 2)
            #expect(try await anna.eventNumber() == before + 2)
        }
    }

    @Test("A device gets the event as a position, without another receipt", arguments: Engine.stores)
    func position(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            let before = try await anna.eventNumber()
            try await anna.setRenewal(false)
            let news = try await ReadingQueue(store.context).news(
                for: DeviceIdentifier(anna.phone.credentials.identifier),
                bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier),
                after: AccountEvent.Position(account: anna.account.identifier, number: before))
            let only = try #require(news?.first)
            #expect(news?.count == 1)
            guard case .nothing = only.news else {
                Issue.record("the news are \(only.news)")
                return
            }
        }
    }
}

extension Subscriber {
    /// The number of the account's newest event.
    fileprivate func eventNumber() async throws -> Int64 {
        try await store.service.account(account.email).eventNumber
    }
}
