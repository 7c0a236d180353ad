// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Finishes a transaction for a seller's server, which has delivered it to all
/// devices.
package struct FinishingServedTransaction: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Removes a transaction from the queues of all devices, and a product of
    /// a kind that leaves the receipt from the receipt. Repeating it changes
    /// nothing.
    ///
    /// - Throws: The errors of ``FindingServedPurchase``.
    package func callAsFunction(
        _ transaction: TransactionIdentifier, in bundleIdentifier: BundleIdentifier
    ) async throws {
        let purchase = try await FindingServedPurchase(context)(transaction, in: bundleIdentifier)
        try await write(for: purchase.account) { db in
            try FinishingTransaction.finishEverywhere(purchase, andReceipt: purchase.kind.leavesTheReceipt, db)
        }
    }
}
