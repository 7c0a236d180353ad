// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// A signed receipt with a given number of purchases.
struct ManyPurchases {
    static func receipt(_ count: Int) throws -> Data {
        var receipt = OnePurchase(bundleIdentifier: BenchmarkStore.app).receipt()
        let now = receipt.creationDate
        receipt.inAppPurchases = (0..<count).map { number in
            InAppPurchase(
                productIdentifier: BenchmarkStore.product, transactionIdentifier: String(2_000_000_000 + number),
                purchaseDate: now.addingTimeInterval(Double(number - count)), productType: .consumable)
        }
        return try BenchmarkStore.authority.get().sign(receipt)
    }

    /// Measures parsing and verifying receipts with this number of purchases
    /// on one thread. The verifier has verified the certificates before.
    static func verifying(_ purchases: Int, times: Int) throws -> Side {
        let receipt = try receipt(purchases)
        let verifier = try BenchmarkStore.authority.get().verifier
        return Side("receipts", operations: times) {
            for _ in 0..<times {
                guard case .verified(let verified) = try verifier.verify(receipt, expecting: .any),
                    verified.contents.inAppPurchases.count == purchases
                else { throw BenchmarkFailure("A receipt with \(purchases) purchases isn't verified.") }
            }
        }
    }
}
