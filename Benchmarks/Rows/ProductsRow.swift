// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// The cost of a products request in addition to an HTTP server's.
struct ProductsRow: Row {
    static let name = "products"
    static let summary =
        "products requests of 100 products, 32 connections, against a static answer of Hummingbird of the same size"

    private static let products = 100
    private static let requestsEach = 100

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder, products: products)
            let customer = try await Customer(0, of: store)
            let call = ProductsCall(
                bundleIdentifier: BenchmarkStore.app, productIdentifiers: BenchmarkStore.products(products),
                languages: ["en_US"])
            let load = Load(
                path: "\(StorePath.folder)/\(ProductsCall.path.rawValue)",
                headers: [
                    "Authorization": customer.credentials.authorization, "Content-Type": "application/json",
                ], body: try StoreCoding.encode(call))
            return try await withServer(store.server) { port in
                // The device is the customer's.
                _ = try await onThreads(1) { _ in try customer.signInBuying(over: Connections([port])) }
                let answer = try StoreCoding.decode(ProductsCall.Answer.self, from: try await load.answer(at: port))
                guard answer.products.count == products else {
                    throw BenchmarkFailure("The store lists \(answer.products.count) products, not \(products).")
                }
                return try await load.compare("requests", each: requestsEach, in: store, at: port)
            }
        }
    }
}
