// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Saves a seller's information about a purchase beside the customer's request
/// for a refund.
package struct SavingConsumption: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Saves information about a purchase of an app, instead of earlier one.
    ///
    /// Without a request that waits, nothing is saved: the information serves
    /// its decision only.
    ///
    /// - Throws: ``ServerError``: those of ``FindingServedPurchase``;
    ///   `familyTransactionNotSupported`; `transactionTypeNotSupported` for a
    ///   product of another kind, and `consumptionPercentageOfSubscription`.
    package func callAsFunction(
        _ consumption: Consumption, about transaction: TransactionIdentifier, in bundleIdentifier: BundleIdentifier
    ) async throws {
        let purchase = try await FindingServedPurchase(context)(transaction, in: bundleIdentifier)
        guard purchase.share == nil else { throw ServerError.familyTransactionNotSupported }
        guard purchase.kind != .autoRenewable || consumption.fields["consumptionPercentage"] == nil else {
            throw ServerError.consumptionPercentageOfSubscription
        }
        guard consumption.isAllowed(for: purchase.kind) else { throw ServerError.transactionTypeNotSupported }
        try await write(for: purchase.account) { db in
            guard try Account.findOpen(purchase.account, db) != nil,
                let request = try RefundRequest.newest(of: purchase, db), request.status.waits
            else { return }
            try request.save(consumption, db)
        }
    }
}
