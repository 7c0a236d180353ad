// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the purchases of an account in an app, page by page, in the order of
/// their newest changes.
///
/// A page reads a limited number of rows. It may therefore have fewer
/// purchases than its size, and others after it, when a filter leaves most of
/// them out.
package struct ReadingServedHistory: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The order of a history.
    package enum Order: Hashable, Sendable {
        /// The oldest change first.
        case ascending
        /// The newest change first.
        case descending
    }

    /// A part of a history.
    package struct Page: Sendable {
        package var purchases: [Purchase] = []
        /// The place after which the next page begins.
        package var revision: PurchaseRevision
        package var hasMore = false
    }

    /// The most purchases of a page, as in Apple's.
    package static let pageSize = 20
    /// The most rows that a page reads.
    static let mostRows = 2000
    /// The rows that one statement reads.
    private static let batch = 100

    /// The history of the account that has made a purchase, or has an app
    /// transaction, after a place.
    ///
    /// - Throws: The errors of ``FindingServedCustomer``.
    package func callAsFunction(
        of transaction: TransactionIdentifier, in bundleIdentifier: BundleIdentifier, _ filter: PurchaseFilter,
        _ order: Order = .ascending, after place: PurchaseRevision? = nil
    ) async throws -> Page {
        try await read { db in
            let account = try FindingServedCustomer.find(transaction, in: bundleIdentifier, db).account
            return try Self.page(filter, order, after: place) { place in
                switch order {
                case .ascending:
                    try Purchase.revised(
                        after: place, of: account, bundleIdentifier: bundleIdentifier, limit: Self.batch, db)
                case .descending:
                    try Purchase.revised(
                        before: place, of: account, bundleIdentifier: bundleIdentifier, limit: Self.batch, db)
                }
            }
        }
    }

    private static func page(
        _ filter: PurchaseFilter, _ order: Order, after place: PurchaseRevision?,
        _ next: (PurchaseRevision) throws -> [Purchase.Revised]
    ) throws -> Page {
        let end = PurchaseRevision(number: .max, transaction: "")
        var page = Page(revision: place ?? (order == .ascending ? .start : end))
        for _ in 0..<(mostRows / batch) {
            let rows = try next(page.revision)
            for row in rows {
                let isListed = filter.matches(row.purchase)
                if isListed, page.purchases.count == pageSize {
                    page.hasMore = true
                    return page
                }
                if isListed { page.purchases.append(row.purchase) }
                page.revision = row.revision
            }
            if rows.count < batch { return page }
        }
        page.hasMore = true
        return page
    }
}
