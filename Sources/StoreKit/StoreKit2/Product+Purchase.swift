// SPDX-License-Identifier: Apache-2.0

import StoreAgent

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// The end of a purchase.
    public enum PurchaseResult: Sendable {
        /// The customer has bought the product: deliver it if the transaction
        /// is verified, then finish the transaction.
        case success(VerificationResult<Transaction>)
        /// The customer closed the payment sheet.
        case userCancelled
        /// Another person has to approve the purchase. Its transaction is an
        /// update later.
        case pending
    }

    /// Buys the product: the customer confirms it on the store's payment
    /// sheet.
    ///
    /// The payment is durable before it is sent. When the task is cancelled or
    /// the process ends, the payment goes on, and its transaction is one of
    /// ``Transaction/updates``. When the customer cancels, nothing was charged.
    ///
    /// - Throws: ``PurchaseError``, ``StoreKitError``, `CancellationError`.
    public func purchase(options: Set<Product.PurchaseOption> = []) async throws -> Product.PurchaseResult {
        let request = try PurchaseRequest(id, options)
        return try await AgentHost.shared.perform(.purchase) { try await request.perform($0, as: $0.makeRequest()) }
    }
}
