// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreDomain

/// The cost of reading an app with many products from the database and of
/// filling in its public page, in addition to an HTTP server's.
struct ItemPageRow: Row {
    static let name = "item-page"
    static let summary =
        "the public page of an app with 10,000 products that were sold, 32 connections, against a static answer of "
        + "Hummingbird of the same size"

    private static let products = 10_000
    private static let pagesEach = 100
    private static let item: Int64 = 1001

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder, products: products)
            try await prepare(store)
            return try await withServer(store.server) { port in
                let load = Load(path: "/app/\(item)/USA/en", body: nil)
                let page = String(decoding: try await load.answer(at: port), as: UTF8.self)
                guard page.contains("id=\"top\""), page.contains("id=\"promoted\"") else {
                    throw BenchmarkFailure("The page has no products: \(page)")
                }
                return try await load.compare("pages", each: pagesEach, in: store, at: port)
            }
        }
    }

    /// Adds the item of the app, promotes the most that are allowed, and gives
    /// each product a number of sales.
    private static func prepare(_ store: BenchmarkStore) async throws {
        let app = BundleIdentifier(BenchmarkStore.app)
        let identifiers = BenchmarkStore.products(products)
        try await AddingItem(store.context)(
            Item(
                identifier: item, kind: .app, app: app, seller: "Fruit Shop", version: "1.0",
                link: "https://seller.example/app", price: "0", prices: [:], notSoldIn: [],
                texts: [.init(locale: "en_US", title: "Buy Fruits", description: "Fresh fruit on your screen.")]),
            ItemGallery())
        try await PromotingProducts(store.context)(
            identifiers.prefix(PromotedProduct.limit).map { ProductIdentifier($0) }, of: app)
        let environment = store.context.environment.rawValue
        try await store.engine.write { connection in
            for (number, product) in identifiers.enumerated() {
                try connection.run(
                    "INSERT INTO product_sales (environment, bundle_id, product_id, sales) VALUES ($1, $2, $3, $4)",
                    [environment, BenchmarkStore.app, product, number + 1])
            }
        }
    }
}
