// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists the amounts that were charged for a purchase, and those that the payer
/// got back.
package struct ListingCharges: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The ledger entries of a purchase's payment, oldest first; empty for a
    /// purchase that cost nothing.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func callAsFunction(_ transaction: TransactionIdentifier) async throws -> [LedgerEntry] {
        try await read { db in
            guard let purchase = try Purchase.find(transaction, db) else {
                throw DomainError(.notFound, "There is no purchase with the number \(transaction).")
            }
            return try Payment.of(purchase, db).map { try LedgerEntry.of($0, db) } ?? []
        }
    }
}
