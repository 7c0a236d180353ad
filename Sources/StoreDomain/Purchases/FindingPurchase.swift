// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Looks up a purchase of any account.
package struct FindingPurchase: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The purchase of a transaction.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func callAsFunction(_ transaction: TransactionIdentifier) async throws -> Purchase {
        guard let purchase = try await read({ db in try Purchase.find(transaction, db) }) else {
            throw DomainError(.notFound, "There is no purchase with the number \(transaction).")
        }
        return purchase
    }
}
