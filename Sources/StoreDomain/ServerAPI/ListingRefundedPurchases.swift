// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists the refunded purchases of a customer without pages, as the first
/// version of Get Refund History does.
package struct ListingRefundedPurchases: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most purchases of the list, as in Apple's.
    package static let most = 50

    /// The most pages that are read, of ``ReadingServedHistory/mostRows`` each.
    /// A refund is a change: the newest ones are among the first rows.
    static let mostPages = 5

    /// The refunded purchases of the account that has made a purchase, the
    /// newest change first, of as many changes as ``mostPages`` have.
    ///
    /// - Throws: ``ServerError`` `originalTransactionNotFound`; `DatabaseError`.
    package func callAsFunction(
        of original: TransactionIdentifier, in bundleIdentifier: BundleIdentifier
    ) async throws -> [Purchase] {
        let filter = PurchaseFilter.refunded
        var found: [Purchase] = []
        var place: PurchaseRevision?
        do {
            // The first version takes no app transaction.
            guard !original.isOfApp(in: environment) else { throw ServerError.originalTransactionNotFound }
            for _ in 0..<Self.mostPages {
                let page = try await ReadingServedHistory(context)(
                    of: original, in: bundleIdentifier, filter, .descending, after: place)
                found += page.purchases
                place = page.revision
                guard page.hasMore, found.count < Self.most else { break }
            }
        } catch let error as ServerError where [.transactionNotFound, .accountNotFound].contains(error) {
            throw ServerError.originalTransactionNotFound
        }
        return Array(found.prefix(Self.most))
    }
}
