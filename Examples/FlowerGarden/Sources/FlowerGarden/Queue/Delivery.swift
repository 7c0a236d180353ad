// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreKit

/// The steps of one delivery: the back end gets the receipt, and then the
/// content is downloaded.
///
/// The app may end after any step, and the next launch repeats the delivery.
/// The back end counts a purchase once, a download goes on where it was, and
/// content that is here isn't requested.
struct Delivery: Sendable {
    let client: GardenClient
    let list: ProductListCache
    let folder: URL
    let loader: any ContentLoading
    /// The bytes of the app's receipt.
    let receipt: @Sendable () throws -> Data

    func content(of product: String) -> URL { folder.appendingPathComponent("Content/\(product)") }

    /// Sends the receipt, which has to have the purchase.
    @MainActor
    func record(_ transaction: SKPaymentTransaction) async throws {
        _ = try await client.add(receipt: checkedReceipt(with: transaction))
    }

    /// Downloads the content of a product that has any.
    func load(
        _ product: String, progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws {
        guard list.items.contains(where: { $0.product == product && $0.hasContent }) else { return }
        try await loader.load(product, to: content(of: product), from: client, progress: progress)
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
}
