// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A queue that is too long for one answer.
@Suite(.timeLimit(.hang))
struct QueuePageTests {
    @Test("A device that takes pages gets the queue in pages, any other in one answer", arguments: Engine.stores)
    func pages(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let first = try await phone.buy("juice", request: "1", as: anna)
            var count = 1
            for size in [1, 499, 500, 501, 1000, 1001] {
                try await store.lengthenQueue(from: first, by: size - count, after: count)
                count = size
                let whole = try await phone.queue()
                #expect(whole.count == size)

                var pages: [QueueSnapshot] = []
                repeat {
                    pages.append(
                        try await phone.call(
                            QueueCall(
                                bundleIdentifier: TestStore.bundleIdentifier, takesPages: true,
                                after: pages.last?.next, until: pages.first?.position)))
                } while pages.last?.next != nil
                let streamed = try await Self.snapshots(pages.count, of: phone, takesPages: true)
                let old = try await Self.snapshots(1, of: phone, takesPages: false)

                #expect(pages.count == (size + 499) / 500)
                #expect(pages.flatMap(\.transactions) == whole)
                #expect(streamed == pages)
                #expect(old.map(\.transactions) == [whole] && old[0].next == nil)
            }
        }
    }

    @Test(
        "Events between two pages follow the last page, and all pages have the first one's position",
        arguments: Engine.stores)
    func changedBetweenPages(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let first = try await phone.buy("juice", request: "1", as: anna)
            try await store.lengthenQueue(from: first, by: 500, after: 1)
            let account = anna.identifier.rawValue
            let feed = try await store.service.feed(Self.subscription(of: phone, takesPages: true))
            let before = try #require(try await Self.next(of: feed)?.content as? SnapshotEvent)

            try await phone.finish(first.transactionIdentifier)
            let added = try await phone.buy("juice", request: "2", as: anna)

            let after = try #require(try await Self.next(of: feed)?.content as? SnapshotEvent)
            let removal = try await Self.next(of: feed)
            let arrival = try await Self.next(of: feed)
            #expect(before.snapshot.position == EventPosition(account: account, number: 501))
            #expect(after.snapshot.position == before.snapshot.position)
            // The purchase after that position comes with its own event, when a receipt that contains it is signed.
            #expect(after.snapshot.transactions.map(\.transactionIdentifier) == ["copy1500"])
            #expect(
                removal
                    == .removed(
                        transactionIdentifier: first.transactionIdentifier, receiptChanged: false,
                        EventPosition(account: account, number: 502)))
            #expect(arrival == .transaction(added, EventPosition(account: account, number: 503)))
        }
    }

    @Test("A stream ends when another account is signed in between two pages", arguments: Engine.stores)
    func otherAccount(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let first = try await phone.buy("juice", request: "1", as: anna)
            try await store.lengthenQueue(from: first, by: 500, after: 1)
            let feed = try await store.service.feed(Self.subscription(of: phone, takesPages: true))
            _ = try await Self.next(of: feed)

            _ = try await phone.call(SignOutCall(requestIdentifier: "out"))

            #expect(try await Self.next(of: feed) == .accountChanged)
            #expect(try await Self.next(of: feed) == nil)
        }
    }

    private static func subscription(of device: TestDevice, takesPages: Bool) -> EventSubscription {
        EventSubscription(
            credentials: device.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil,
            takesPages: takesPages)
    }

    private static func snapshots(_ count: Int, of device: TestDevice, takesPages: Bool) async throws -> [QueueSnapshot]
    {
        let feed = try await device.store.service.feed(subscription(of: device, takesPages: takesPages))
        var found: [QueueSnapshot] = []
        for _ in 0..<count {
            found.append(try #require(try await next(of: feed)?.content as? SnapshotEvent).snapshot)
        }
        return found
    }

    private static func next(of feed: EventFeed) async throws -> StoreEvent? {
        guard case .event(let event)? = try await feed.next() else { return nil }
        return event
    }
}

extension TestStore {
    /// Adds copies of a purchase to its device's queue, each with an event.
    /// Their identifiers are `copy` and their event's number from 1000 on.
    fileprivate func lengthenQueue(from purchase: TransactionInfo, by count: Int, after last: Int) async throws {
        guard count > 0 else { return }
        let series = """
            WITH RECURSIVE series (i) AS (
                SELECT CAST($2 AS BIGINT) UNION ALL SELECT i + 1 FROM series WHERE i < $3
            )
            """
        let arguments: [any DatabaseValueConvertible & Sendable] = [
            purchase.transactionIdentifier, last + 1, last + count,
        ]
        try await context.database.write { connection in
            _ = try connection.run(
                """
                \(series)
                INSERT INTO purchase (environment, transaction_id, original_transaction_id, account_id, bundle_id,
                    product_id, kind, quantity, purchased_at, original_purchased_at, milliunits, currency, storefront,
                    is_in_receipt, bucket)
                SELECT environment, 'copy' || (i + 999), 'copy' || (i + 999), account_id, bundle_id, product_id, kind,
                    quantity, purchased_at, purchased_at, milliunits, currency, storefront, is_in_receipt, bucket
                FROM purchase, series WHERE environment = 'Sandbox' AND transaction_id = $1
                """, arguments)
            _ = try connection.run(
                """
                \(series)
                INSERT INTO queue_entry (environment, device_id, transaction_id, account_id, bundle_id, event_number,
                    bucket)
                SELECT environment, device_id, 'copy' || (i + 999), account_id, bundle_id, i, bucket
                FROM queue_entry, series WHERE environment = 'Sandbox' AND transaction_id = $1
                """, arguments)
            _ = try connection.run(
                """
                \(series)
                INSERT INTO event (environment, account_id, event_number, kind, bundle_id, transaction_id, bucket)
                SELECT environment, account_id, i, kind, bundle_id, 'copy' || (i + 999), bucket
                FROM event, series WHERE environment = 'Sandbox' AND transaction_id = $1 AND kind = 'transaction'
                """, arguments)
            _ = try connection.run(
                """
                UPDATE account SET event_number = $2
                WHERE environment = 'Sandbox' AND account_id = (
                    SELECT account_id FROM purchase WHERE environment = 'Sandbox' AND transaction_id = $1)
                """, [purchase.transactionIdentifier, last + count])
        }
    }
}
