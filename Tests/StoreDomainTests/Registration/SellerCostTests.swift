// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreMeasurement
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The rows and statements of sellers' lists and changes (docs/seller-costs.md).
struct SellerCostTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    private func run(_ sql: String, _ arguments: [any DatabaseValueConvertible & Sendable] = [], in store: TestStore)
        async throws
    {
        try await store.context.database.write(.all) { connection in _ = try connection.run(sql, arguments) }
    }

    @Test("A search reads each batch in a transaction of its own", arguments: Engine.stores)
    func batches(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let recorder = RecordingDatabase(database)
            let store = try await TestStore(recorder)
            let holder = try await store.setUpTeam()
            try await store.sell(600)
            let reader = store.service.appReader
            func batches(_ search: String) async throws -> [Int] {
                let transactions = try await recorder.transactions {
                    let page = try await reader.products(of: Self.app, containing: search, as: holder)
                    #expect(page.entries.isEmpty == !search.isEmpty)
                }
                return transactions.map { $0.statements.count { $0.sql.contains("FROM product") } }
            }
            #expect(try await batches("nothing") == [1, 1, 1])
            #expect(try await batches("") == [1])
            var place: ListPlace?
            var found = 0
            repeat {
                let page = try await reader.products(of: Self.app, containing: "Fruit 9", after: place, as: holder)
                (found, place) = (found + page.entries.count, page.next)
            } while place != nil
            // The name of each has a 9 somewhere.
            #expect(found == 114)
        }
    }

    @Test("A list of items reads no texts, and a search of them the titles", arguments: Engine.stores)
    func items(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let recorder = RecordingDatabase(database)
            let store = try await TestStore(recorder)
            let holder = try await store.setUpTeam()
            let items = try store.service.registeringItem()
            for (name, price) in [("Song", "1.99"), ("Ballad", "0")] {
                var values = Item.Values()
                (values.kind, values.version, values.link) = ("song", "1", "https://seller.example/song")
                (values.price, values.otherPrices) = (price, name == "Ballad" ? "USA 2.99" : "")
                values.texts = [
                    Product.Localization(locale: "en_US", title: name, description: "A text."),
                    Product.Localization(locale: "de_DE", title: "\(name) auf Deutsch", description: ""),
                ]
                _ = try await items.add(values, by: holder)
            }
            func list(_ search: String) async throws -> (items: [ListedItem], texts: [String]) {
                var entries: [ListedItem] = []
                let transactions = try await recorder.transactions {
                    entries = try await items.page(containing: search, by: .name, as: holder).entries
                }
                return (entries, transactions.flatMap(\.statements).map(\.sql).filter { $0.contains("localization") })
            }
            let all = try await list("")
            #expect(all.items.map(\.name) == ["Ballad auf Deutsch", "Song auf Deutsch"] && all.texts.isEmpty)
            #expect(all.items.map(\.milliunits) == [0, 1990])
            #expect(all.items.map(\.dollars.milliunits) == [2990, 1990])
            let found = try await list("song deutsch")
            #expect(found.items.map(\.name) == ["Song auf Deutsch"])
            #expect(!found.texts.isEmpty && found.texts.allSatisfy { !$0.contains("description") })
        }
    }

    @Test(
        "An app makes at most a thousand batches of codes in a quarter, and a new one reads none of them",
        arguments: Engine.stores)
    func codes(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let recorder = RecordingDatabase(database)
            let store = try await TestStore(recorder)
            try await store.sellCodes()
            _ = try await store.codes(TestStore.order("any", batch: "first"))
            func copy(_ count: Int) async throws {
                try await run(
                    """
                    WITH RECURSIVE series (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM series WHERE i < $1)
                    INSERT INTO offer_code_batch (environment, batch_id, bundle_id, product_id, kind, offer_id, name, size,
                        uses_limit, fingerprint, made, created_at)
                    SELECT environment, 'copy' || i, bundle_id, product_id, kind, offer_id, name, 1, 1, '', 0, created_at
                    FROM offer_code_batch, series WHERE batch_id = 'first'
                    """, [count], in: store)
            }
            try await copy(998)
            let transactions = try await recorder.transactions {
                _ = try await store.codes(TestStore.order("any", batch: "last"))
            }
            let lists = transactions.flatMap(\.statements).filter { $0.sql.contains("ORDER BY created_at, batch_id") }
            #expect(lists.isEmpty)
            await #expect(throws: DomainError(.quotaExceeded, "")) {
                _ = try await store.codes(TestStore.order("any", batch: "more"))
            }
        }
    }

    @Test("A page of batches reads none of their codes", arguments: Engine.stores)
    func redemptions(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let recorder = RecordingDatabase(database)
            let store = try await TestStore(recorder)
            let holder = try await store.setUpTeam()
            try await store.registerProduct(by: holder)
            _ = try await store.makeCodes(count: 3, by: holder)
            let transactions = try await recorder.transactions {
                let page = try await store.service.makingAppCodes().batches(of: Self.app, as: holder)
                #expect(page.entries.map(\.batch.redemptions) == [0])
            }
            #expect(transactions.flatMap(\.statements).allSatisfy { !$0.sql.contains(/FROM offer_code\b/) })
        }
    }

    @Test("A change that arrives immediately keeps no copy of the product", arguments: Engine.stores)
    func noCopies(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.registerProduct(by: holder)
            #expect(try await store.count("former_product") == 0)
        }
    }

    @Test("A product that changes all the time has about a hundred copies at most", arguments: Engine.stores)
    func copies(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let clock = TestClock()
            let store = try await TestStore(
                database, clock: clock, propagation: Propagation(sandbox: .seconds(100)))
            let holder = try await store.setUpTeam()
            var product = try await store.registerProduct(by: holder)
            for number in 0..<400 {
                clock.advance(by: .seconds(1))
                product.product.referenceName = "Banana \(number)"
                let changed = product
                try await store.context.write(.catalogue(of: Self.app)) { db in try changed.save(db) }
            }
            #expect(try await store.count("former_product") <= 101)
            let sold = try await store.context.read { db in try Catalogue.product("banana", of: Self.app, db) }
            let name = try #require(sold).referenceName
            // A change reaches the store at most a fiftieth of the delay early.
            #expect(["Banana 299", "Banana 300", "Banana 301", "Banana 302"].contains(name))
        }
    }

    @Test(
        "The history of a product's prices has an end, and keeps the newest increase of each country",
        arguments: Engine.stores)
    func prices(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.registerProduct(by: holder)
            try await run(
                """
                WITH RECURSIVE series (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM series WHERE i < 900)
                INSERT INTO price_change (environment, change_id, bundle_id, product_id, storefront, milliunits, starts_at,
                    subscribers, consent, created_at, applied_at, previous_milliunits, allowance_milliunits, finished_at,
                    is_repeated)
                SELECT 'Sandbox', 'old' || i, $1, 'banana', CASE WHEN i <= 5 THEN 'DEU' ELSE '' END, i, $2 + i, 'keep',
                    'rule', $2, $2, CASE WHEN i = 10 THEN 11 ELSE 0 END, 0, $2, CASE WHEN i <= 10 THEN 0 END
                FROM series
                """, [TestStore.bundleIdentifier, store.clock.now.milliseconds - 1_000_000], in: store)
            let banana = try await store.registration("banana", as: holder)
            try await store.service.registeringProduct().change(
                "banana", of: Self.app, to: TestStore.productValues(tier: "2"), version: banana.version, by: holder)
            #expect(try await store.count("price_change") == SchedulingPriceChange.listed + 2)
            // The tenth price was lower than the one before it.
            #expect(try await store.count("price_change", where: "change_id IN ('old5', 'old9')") == 2)
            let shown = try await store.service.pricingProduct().prices(of: "banana", in: Self.app, as: holder)
            #expect(shown.begun.first?.milliunits == 1990)
            store.clock.advance(by: .seconds(400 * 86_400))
            let later = try await store.registration("banana", as: holder)
            try await store.service.registeringProduct().change(
                "banana", of: Self.app, to: TestStore.productValues(tier: "3"), version: later.version, by: holder)
            #expect(try await store.count("price_change") == SchedulingPriceChange.listed)
        }
    }
}
