// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// Whether a purchase takes as long in an account with many purchases. The
/// receipt isn't a part of it: its time and its bytes are remarks.
struct LargeAccountRow: Row {
    static let name = "account-20000"
    static let summary =
        "durable purchases of an account with 20,000 purchases, 10,000 of them in its receipt, against those of an "
        + "account with 10 in the same store"

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in try await LargeAccount.compare(in: BenchmarkStore(in: folder)) }
    }
}

enum LargeAccount {
    private static let purchasesEach = 50
    private static let receipts = 5

    static func compare(in store: BenchmarkStore) async throws -> Comparison {
        let (large, small) = (try await Customer(0, of: store), try await Customer(1, of: store))
        return try await withServer(store.server) { port in
            let buying = try await Purchases(by: [large], each: purchasesEach, in: store, at: [port])
            let buyingLittle = try await Purchases(by: [small], each: purchasesEach, in: store, at: [port])
            try await fill(buying, with: 20_000, inReceipt: 10_000, from: 0, of: store)
            try await fill(buyingLittle, with: 10, inReceipt: 5, from: 20_000, of: store)
            let (books, before) = (try await store.books, buying.made + buyingLittle.made)
            var comparison = try await Comparison(buying.side, against: buyingLittle.side)
            try await store.expect(purchases: buying.made + buyingLittle.made - before, since: books)
            comparison.notes.append(try await receipt(of: large, with: "10,000", at: port))
            comparison.notes.append(try await receipt(of: small, with: "5", at: port))
            return comparison
        }
    }

    private static func fill(
        _ purchases: Purchases, with count: Int, inReceipt: Int, from first: Int, of store: BenchmarkStore
    ) async throws {
        guard let buyer = try await purchases.buyers.first else { throw BenchmarkFailure("There is no customer.") }
        try await OldPurchases(store: store, account: buyer.account, device: buyer.device)
            .add(count, inReceipt: inReceipt, from: first)
    }

    /// A sentence about the receipt of a customer.
    private static func receipt(of customer: Customer, with purchases: String, at port: Int) async throws -> String {
        let (bytes, seconds) = try await onThreads(1) { _ in
            let connection = try HTTPConnection(port: port)
            var bytes = try customer.receipt(over: connection).utf8.count
            let duration = try ContinuousClock().measure {
                for _ in 0..<receipts { bytes = try customer.receipt(over: connection).utf8.count }
            }
            return (bytes, duration / .seconds(1) / Double(receipts))
        }[0]
        return "the receipt of \(purchases) takes \((seconds * 10_000).rounded() / 10) ms, \(bytes >> 10) KiB"
    }
}
