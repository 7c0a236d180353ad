// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// The cost of reading a payment from the database and of filling in its page,
/// in addition to an HTTP server's.
struct SheetRow: Row {
    static let name = "sheet"
    static let summary =
        "the page of a payment's sheet, signed in, 32 connections, against a static answer of Hummingbird of the same "
        + "size"

    private static let pagesEach = 100

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            let customer = try await Customer(0, of: store)
            return try await withServer(store.server) { port in
                let sheet = try await onThreads(1) { _ in
                    let connections = try Connections([port])
                    _ = try customer.signInBuying(over: connections)
                    let payment = PaymentCall(
                        requestIdentifier: "shown", bundleIdentifier: BenchmarkStore.app,
                        productIdentifier: BenchmarkStore.product, quantity: 1)
                    return try customer.call(payment, over: connections.device).sheet
                }[0]
                guard let token = sheet?.split(separator: "/").last else {
                    throw BenchmarkFailure("The store shows no sheet.")
                }
                let load = Load(path: "/sheet/\(token)", body: nil)
                let page = String(decoding: try await load.answer(at: port), as: UTF8.self)
                guard page.contains("id=\"buy\"") else { throw BenchmarkFailure("The page has no button: \(page)") }
                return try await load.compare("pages", each: pagesEach, in: store, at: port)
            }
        }
    }
}
