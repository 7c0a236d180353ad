// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// The steps of one delivery: the back end gets the receipt, and then the
/// content is downloaded. Each step can be repeated without harm.
///
/// A receipt may be older than the transaction. The transaction isn't finished
/// before the back end has named it: a consumable is in no later receipt.
struct Delivery: Sendable {
    let client: GardenClient
    let list: ProductListCache
    let folder: URL
    var loader = ContentLoader.inPieces
    /// The bytes of the app's receipt.
    var receipt: @Sendable () throws -> Data

    private var progress: Progress { Progress(file: folder.appendingPathComponent("progress.json")) }

    func content(of product: String) -> URL { folder.appendingPathComponent("Content/\(product)") }

    @MainActor
    func deliver(_ transaction: SKPaymentTransaction) async throws {
        let identifier = transaction.transactionIdentifier ?? ""
        let product = transaction.payment.productIdentifier
        if !progress.isDone(.recorded, of: identifier) {
            let recorded = try await client.add(receipt: receipt()).recorded ?? []
            // A restored purchase, and a renewal, may be in the receipt as the first one.
            let names = [transaction.transactionIdentifier, transaction.original?.transactionIdentifier]
            guard names.contains(where: { $0.map(recorded.contains) ?? false }) else {
                throw AppFailure("The receipt doesn’t have this purchase yet. Try again in a moment.")
            }
            try progress.done(.recorded, of: identifier)
        }
        let hasContent = list.items.contains { $0.product == product && $0.hasContent }
        if hasContent, !progress.isDone(.downloaded, of: identifier) {
            try await loader.load(product, content(of: product), client)
            try progress.done(.downloaded, of: identifier)
        }
    }

    /// The transaction was finished: its progress is of no more use.
    @MainActor
    func finished(_ transaction: SKPaymentTransaction) {
        try? progress.forget(transaction.transactionIdentifier ?? "")
    }
}
