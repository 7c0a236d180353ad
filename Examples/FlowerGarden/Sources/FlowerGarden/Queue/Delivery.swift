// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreKit

/// The steps of one delivery: the back end gets the receipt, and then the
/// content is downloaded. Each step can be repeated without harm.
struct Delivery: Sendable {
    let client: GardenClient
    let list: ProductListCache
    let folder: URL
    var loader = ContentLoader.inPieces
    /// The bytes of the app's receipt.
    let receipt: @Sendable () throws -> Data

    private var progress: Progress { Progress(file: folder.appendingPathComponent("progress.json")) }

    func content(of product: String) -> URL { folder.appendingPathComponent("Content/\(product)") }

    @MainActor
    func deliver(_ transaction: SKPaymentTransaction) async throws {
        let identifier = transaction.transactionIdentifier ?? ""
        let product = transaction.payment.productIdentifier
        if !progress.isDone(.recorded, of: identifier) {
            _ = try await client.add(receipt: checkedReceipt(with: transaction))
            try progress.done(.recorded, of: identifier)
        }
        let hasContent = list.items.contains { $0.product == product && $0.hasContent }
        if hasContent, !progress.isDone(.downloaded, of: identifier) {
            try await loader.load(product, content(of: product), client)
            try progress.done(.downloaded, of: identifier)
        }
    }

    /// The receipt, which has to have the purchase: the store writes it before
    /// it announces a purchase, but a person may have put an older one back. A
    /// finished consumable would be in no later receipt.
    @MainActor
    private func checkedReceipt(with transaction: SKPaymentTransaction) throws -> Data {
        let bytes = try receipt()
        let names = [transaction.transactionIdentifier, transaction.original?.transactionIdentifier]
        let bought = try UnverifiedAppReceipt(parsing: bytes).contents.inAppPurchases
        guard bought.contains(where: { names.contains($0.transactionIdentifier) }) else {
            throw AppFailure("The receipt doesn’t have this purchase. Press Refresh, and then Try again.")
        }
        return bytes
    }

    /// The transaction was finished: its progress is of no more use.
    @MainActor
    func finished(_ transaction: SKPaymentTransaction) {
        try? progress.forget(transaction.transactionIdentifier ?? "")
    }
}
