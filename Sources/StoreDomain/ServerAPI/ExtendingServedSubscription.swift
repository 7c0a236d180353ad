// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Extends a subscription for a seller's server.
package struct ExtendingServedSubscription: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Extends the running period of a subscription that an app's customer has.
    /// Repeating an order changes nothing.
    ///
    /// - Throws: ``ServerError``: `originalTransactionNotFound`, `extensionOfFamilyShare`, `extensionIneligible`,
    ///   `extensionMaximum`, and `invalidRequestIdentifier` for one of another
    ///   order.
    package func callAsFunction(
        _ original: TransactionIdentifier, in bundleIdentifier: BundleIdentifier, by order: RenewalExtension
    ) async throws -> ExtendingSubscription.Extended {
        do {
            let purchase = try await FindingServedPurchase(context)(original, in: bundleIdentifier)
            guard purchase.kind == .autoRenewable, purchase.isOriginal else {
                throw ServerError.originalTransactionNotFound
            }
            guard purchase.share == nil else { throw ServerError.extensionOfFamilyShare }
            return try await ExtendingSubscription(context)(original, by: order)
        } catch let error as ServerError where [.transactionNotFound, .appTransactionNotSupported].contains(error) {
            throw ServerError.originalTransactionNotFound
        } catch let error as DomainError {
            guard let refusal = Self.refusals[error.code] else { throw error }
            throw refusal
        }
    }

    private static let refusals: [DomainError.Code: ServerError] = [
        .decided: .extensionIneligible, .extendedTwice: .extensionMaximum,
        .requestMismatch: .invalidRequestIdentifier, .notFound: .originalTransactionNotFound,
    ]
}
