// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Looks up the purchases of an order for a seller's server.
///
/// An order has one purchase, and its number is that of the transaction: the
/// customer reads it on the receipt. It is also `webOrderLineItemId` of a
/// subscription's period.
package struct LookingUpOrder: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The purchases of an order in an app; empty for a number without an
    /// order, of an app transaction, and for an order of another app or of a closed account.
    package func callAsFunction(_ order: String, in bundleIdentifier: BundleIdentifier) async throws -> [Purchase] {
        do {
            return [try await FindingServedPurchase(context)(TransactionIdentifier(order), in: bundleIdentifier)]
        } catch let error as ServerError
            where [.transactionNotFound, .appTransactionNotSupported].contains(error)
        {
            return []
        }
    }
}
