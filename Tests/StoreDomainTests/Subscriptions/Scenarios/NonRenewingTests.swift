// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Subscriptions that the store doesn't renew, and whose end only the app
/// knows.
@Suite(.timeLimit(.hang))
struct NonRenewingTests {
    @Test(
        "A season is bought any number of times, stays in the receipt, and is never restored",
        arguments: Engine.stores)
    func seasons(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellSeasons()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let tablet = try await anna.addDevice(9)
            var story = try await Story(of: anna, tablet)
            let first = try await anna.buy("season")
            let second = try await anna.buy("season")

            #expect(first.transactionIdentifier == first.originalTransactionIdentifier)
            #expect(second.transactionIdentifier == second.originalTransactionIdentifier)
            // The seller's server tells the tablet.
            #expect(
                try await story.changes()
                    == Changes(
                        ledger: Array(repeating: "2026-01-10 20:00:00 charge 9990 USD", count: 2),
                        phone: Array(repeating: "season 2026-01-10 20:00:00", count: 2),
                        receipt: Array(repeating: "season 2026-01-10 20:00:00", count: 2), now: []))
            // The end is the app's own.
            #expect(try await story.go(to: "2028-01-10 20:00:00") == Changes(now: []))
            #expect(try await anna.verify(anna.receipt()).latest == nil)

            try await anna.phone.finish(first.transactionIdentifier)
            #expect(
                try await story.changes()
                    == Changes(phone: ["gone: season 2026-01-10 20:00:00"], now: []))
            try await anna.phone.finish(second.transactionIdentifier)
            #expect(try await anna.phone.restore(request: "r").transactions.isEmpty)
            #expect(try await tablet.restore(request: "r").transactions.isEmpty)
            // StoreKit 2 has both on each device.
            let signed = try await tablet.call(
                SignedTransactionsCall(bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0"))
            #expect(
                Set(signed.transactions.map(\.transactionIdentifier)) == [
                    first.transactionIdentifier, second.transactionIdentifier,
                ])
            try await anna.buy("season")
            #expect(
                try await anna.phone.queue().map(\.purchaseDate) == [
                    Subscriber.moment("2028-01-10 20:00:00").milliseconds
                ])
        }
    }

    @Test(
        "An unfinished season goes to another device when its holder is away, and either one finishes it",
        arguments: Engine.stores)
    func oneHolder(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellSeasons()
            let anna = try await store.subscriber()
            let tablet = try await anna.addDevice(9)
            try await anna.use(anna.phone)
            // A purchase that the app doesn't expect has one holder too.
            _ = try await store.service.change(
                account: anna.account.email, .init(switches: [.interruptsPurchases: true]))
            let sheet = try anna.phone.token(try await anna.phone.ask("season", request: "1").sheet)
            _ = try await store.service.buy(onSheet: sheet, as: anna.account, shown: nil)
            _ = try await store.service.resolve(try await store.onlyUndecided())
            let season = try #require(try await anna.phone.queue().first)
            #expect(try await tablet.queue().isEmpty)

            store.clock.advance(by: .seconds(25 * 3600))
            try await anna.use(tablet)
            try await HandingOverConsumables(store.context)() { report in
                if case .failure(let error) = report { Issue.record("\(error)") }
            }

            #expect(try await anna.phone.queue().isEmpty)
            #expect(try await tablet.queue().map(\.transactionIdentifier) == [season.transactionIdentifier])
            // The phone's app has delivered it offline.
            try await anna.phone.finish(season.transactionIdentifier)
            #expect(try await tablet.queue().isEmpty)
            let listed = try anna.contents(of: await anna.receipt()).inAppPurchases
            #expect(listed.map(\.transactionIdentifier) == [season.transactionIdentifier])
        }
    }
}

extension TestStore {
    /// Sells a season of fruit, a non-renewing subscription.
    fileprivate func sellSeasons() async throws {
        try await sell(
            Self.catalogue.replacing(
                "\"version\" :",
                with: """
                    "nonRenewingSubscriptions" : [
                      { "displayPrice" : "9.99", "familyShareable" : false, "internalID" : "9", "productID" : "season",
                        "referenceName" : "Season", "type" : "NonRenewingSubscription", "localizations" : [] } ],
                    "version" :
                    """))
    }
}
