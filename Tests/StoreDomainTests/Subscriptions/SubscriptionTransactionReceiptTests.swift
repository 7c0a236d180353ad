// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// `/verifyReceipt` about the receipt of a single period of a subscription.
@Suite(.timeLimit(.hang))
struct SubscriptionTransactionReceiptTests {
    @Test("A receipt of the first period brings the newest one, and a receipt of it", arguments: Engine.stores)
    func renewed(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            let receipt = try await anna.transactionReceipt(of: first.transactionIdentifier)

            let early = try await anna.verifyTransaction(receipt)
            #expect(try early.sent.contents.expirationDate == Subscriber.moment("2026-02-10 20:00:00").date)
            #expect(early.sent.contents.unknownEntries["web-order-line-item-id"] == first.transactionIdentifier)
            #expect(early.latest == nil && !early.isExpired)
            #expect(early.newest?.contents == early.sent.contents)

            try await anna.advance(to: "2026-03-15 00:00:00")
            let later = try await anna.verifyTransaction(receipt)
            #expect(!later.isExpired)
            #expect(later.renewal?.renews == true)
            let newest = try #require(later.newest?.contents)
            #expect(try newest.purchaseDate == Subscriber.moment("2026-03-10 19:00:00").date)
            #expect(newest.originalTransactionIdentifier == first.transactionIdentifier)
            let verified = try await anna.verifyTransaction(try #require(later.latest))
            #expect(verified.sent.contents == newest)
        }
    }

    @Test("After the end it is expired, and not in the grace period", arguments: Engine.stores)
    func expired(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets(graceDays: 16)
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            let receipt = try await anna.transactionReceipt(of: first.transactionIdentifier)
            store.cardLimit.milliunits = 0
            try await anna.advance(to: "2026-02-15 00:00:00")
            #expect(try await anna.verifyTransaction(receipt).isExpired == false)
            try await anna.advance(to: "2026-03-01 00:00:00")
            let current = try await anna.verifyTransaction(receipt)
            #expect(current.isExpired)
            #expect(current.renewal?.isRetried == true && current.renewal?.reason == .billingError)

            store.cardLimit.milliunits = .max
            try await anna.advance(to: "2026-03-05 00:00:00")
            #expect(try await anna.verifyTransaction(receipt).isExpired == false)
        }
    }

    @Test(
        "A restored period has its own dates, and is cancelled by the refund of that period", arguments: Engine.stores)
    func restored(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            try await anna.phone.finish(first.transactionIdentifier)
            try await anna.advance(to: "2026-01-20 00:00:00")
            let restored = try #require(try await anna.phone.restore(request: "r").transactions.first)
            let receipt = try await anna.transactionReceipt(of: restored.transactionIdentifier)

            let before = try await anna.verifyTransaction(receipt)
            #expect(before.sent.contents.transactionIdentifier == restored.transactionIdentifier)
            #expect(try before.sent.contents.purchaseDate == Subscriber.moment("2026-01-10 20:00:00").date)
            #expect(before.sent.revoked == nil && before.latest == nil && !before.isExpired)

            _ = try await store.service.refund(TransactionIdentifier(first.transactionIdentifier))
            #expect(try await anna.verifyTransaction(receipt).sent.revoked != nil)
        }
    }
}
