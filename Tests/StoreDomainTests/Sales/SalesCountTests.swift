// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The numbers of sales, which are those of the ledger.
struct SalesCountTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    @Test("After a thousand purchases the products sold most often are those of the ledger", arguments: Engine.stores)
    func thousand(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            var random = SeededGenerator(seed: 19)
            for number in 1...1000 {
                // Owned products are given again for nothing, which is an entry of the ledger too.
                let product = ["juice", "juice", "juice", "apple", "pear", "seed"].randomElement(using: &random)
                try await phone.buy(try #require(product), request: "request \(number)", as: anna)
                if number.isMultiple(of: 300) { try await CountingSales(store.context)() }
            }
            try await CountingSales(store.context)()
            try await store.expectCountsOfLedger(sum: 1000)
            let top = try await store.context.read { db in
                try ProductSales.top(of: Self.app, in: .unitedStates, limit: 10, db)
            }
            #expect(top.first?.product == "juice" && top.count == 4)
        }
    }

    @Test("Two nodes that count at the same time count each sale once", arguments: Engine.stores)
    func twoNodes(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...2 {
                    group.addTask { for _ in 1...20 { try await CountingSales(store.context)() } }
                }
                for number in 1...20 {
                    try await phone.buy("juice", request: "juice \(number)", as: anna)
                }
                try await group.waitForAll()
            }
            try await CountingSales(store.context)()
            try await store.expectCountsOfLedger(sum: 20)
        }
    }

    @Test(
        "A process that dies while it counts loses no sale and counts none twice",
        arguments: Engine.stores, ["countsales:before", "countsales:after"])
    func dying(engine: Engine, step: String) async throws {
        try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
            let anna = try await dying.addAccount()
            let phone = try await dying.addDevice()
            for number in 1...3 { try await phone.buy("juice", request: "juice \(number)", as: anna) }
            try? await CountingSales(dying.context)()
            #expect(database.isDead, "\(step) wasn't reached")

            let store = try await revive()
            try await CountingSales(store.context)()
            try await store.expectCountsOfLedger(sum: 3)
        }
    }

    @Test("A refund changes no number, and a purchase that a test deletes isn't counted", arguments: Engine.stores)
    func deleted(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let juice = try await phone.buy("juice", request: "1", as: anna)
            let second = try await phone.buy("juice", request: "2", as: anna)
            try await CountingSales(store.context)()
            try await store.service.refund(TransactionIdentifier(juice.transactionIdentifier))
            _ = try await ForgettingPurchase(store.context)(TransactionIdentifier(second.transactionIdentifier))
            let uncounted = try await phone.buy("juice", request: "3", as: anna)
            _ = try await ForgettingPurchase(store.context)(TransactionIdentifier(uncounted.transactionIdentifier))
            try await CountingSales(store.context)()
            try await store.expectCountsOfLedger(sum: 1)
        }
    }

    @Test("Best sellers that a country doesn't have hide none that it has", arguments: Engine.stores)
    func excluded(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.addItem(5, app: Self.app)
            try await store.context.database.write { connection in
                for number in 1...40 {
                    try connection.run(
                        """
                        INSERT INTO product (bundle_id, product_id, kind, reference_name, family_shareable, for_sale,
                            milliunits)
                        VALUES ($1, $2, 'Consumable', 'Best seller', 0, 1, 990)
                        """, [Self.app, "best.\(number)"])
                    try connection.run(
                        "INSERT INTO product_exclusion (bundle_id, product_id, storefront) VALUES ($1, $2, 'DEU')",
                        [Self.app, "best.\(number)"])
                }
                for (product, sales) in (1...40).map({ ("best.\($0)", 100) }) + [("juice", 1)] {
                    try connection.run(
                        """
                        INSERT INTO product_sales (environment, bundle_id, product_id, sales)
                        VALUES ('Sandbox', $1, $2, $3)
                        """, [Self.app, product, sales])
                }
            }
            let german = try await store.service.itemPage(5, in: try Storefront.known("DEU"))
            #expect(german.top.map(\.productIdentifier) == ["juice"])
            #expect(try await store.service.itemPage(5, in: .unitedStates).top.count == 10)
        }
    }

    @Test("A seller's order is kept, and a wrong one changes nothing", arguments: Engine.stores)
    func promoted(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.addItem(5, app: Self.app)
            let promote = PromotingProducts(store.context)
            try await promote(["pear", "apple"], of: Self.app)
            for products in [["pear", "pear"], (1...21).map { "p\($0)" }] {
                await #expect(throws: DomainError(.invalid, "")) {
                    try await promote(products.map { ProductIdentifier($0) }, of: Self.app)
                }
            }
            await #expect(throws: DomainError(.notFound, "")) { try await promote(["plum"], of: Self.app) }
            let page = try await store.service.itemPage(5, in: .unitedStates)
            #expect(page.promoted.map(\.productIdentifier) == ["pear", "apple"])
            #expect(page.top.isEmpty)
            try await store.service.limit(product: "pear", of: Self.app, isNotSoldIn: ["DEU"])
            let german = try await store.service.itemPage(5, in: try Storefront.known("DEU"))
            #expect(german.promoted.map(\.productIdentifier) == ["apple"])
            try await promote([], of: Self.app)
            #expect(try await store.service.itemPage(5, in: .unitedStates).promoted.isEmpty)
        }
    }
}

extension TestStore {
    /// Requires that the number of each product is that of its charges in the
    /// ledger, and that nothing waits to be counted.
    fileprivate func expectCountsOfLedger(sum: Int64) async throws {
        let (charges, counts) = try await context.database.read { connection in
            func numbers(_ sql: String) throws -> [String: Int64] {
                var numbers: [String: Int64] = [:]
                for row in try connection.rows(sql) { numbers[try row.get("product_id")] = try row.get("n") }
                return numbers
            }
            return (
                try numbers(
                    """
                    SELECT product_id, count(*) AS n FROM ledger_entry JOIN purchase
                        ON purchase.transaction_id = ledger_entry.transaction_id
                    WHERE ledger_entry.kind = 'charge' GROUP BY product_id
                    """),
                try numbers("SELECT product_id, sales AS n FROM product_sales")
            )
        }
        #expect(charges == counts)
        #expect(counts.values.reduce(0, +) == sum)
        #expect(try await count("uncounted_sale") == 0)
    }
}
