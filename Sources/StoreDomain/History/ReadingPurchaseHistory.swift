// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// A purchase as its customer sees it.
package struct HistoryEntry: Sendable {
    package var purchase: Purchase
    /// The app; one that isn't registered has the last part of its bundle
    /// identifier as its name.
    package var app: App
    /// The item and its version; read for a single purchase of an item only.
    package var item: (item: Item, version: String)?
    /// `nil` for a product that isn't in the catalogue any more.
    package var product: Product?
    /// The newest request for a refund; read for a single purchase only.
    package var request: RefundRequest?
}

/// Reads the purchases of a customer in all apps, newest first.
package struct ReadingPurchaseHistory: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of purchases on a page.
    package static let pageSize = 50

    /// Some purchases, newest first.
    package struct Page: Sendable {
        package var entries: [HistoryEntry]
        /// The last purchase of the page, when older ones follow.
        package var next: TransactionIdentifier?
    }

    /// A page of an account's purchases that are older than one of them.
    ///
    /// - Throws: ``DomainError`` `notFound` when `last` isn't a purchase of the
    ///   account.
    package func callAsFunction(
        of account: AccountIdentifier, before last: TransactionIdentifier? = nil
    ) async throws -> Page {
        try await read { db in
            let position = try last.map { try Self.own($0, of: account, db).position }
            let found = try Purchase.history(of: account, before: position, limit: Self.pageSize + 1, db)
            let listed = found.prefix(Self.pageSize)
            return Page(
                entries: try listed.map { try Self.entry($0, db) },
                next: found.count > Self.pageSize ? listed.last?.transactionIdentifier : nil)
        }
    }

    /// One purchase of an account, with the request for its refund.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func entry(_ transaction: TransactionIdentifier, of account: AccountIdentifier) async throws -> HistoryEntry
    {
        try await read { db in
            try Self.whole(try Self.own(transaction, of: account, db), db)
        }
    }

    /// A purchase with the request for its refund.
    static func whole(_ purchase: Purchase, _ db: StoreTransaction) throws -> HistoryEntry {
        var entry = try entry(purchase, db)
        entry.request = try RefundRequest.newest(of: purchase, db)
        entry.item = try item(of: purchase, db)
        return entry
    }

    private static func own(
        _ transaction: TransactionIdentifier, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Purchase {
        guard let purchase = try Purchase.find(transaction, of: account, db), purchase.account == account else {
            throw DomainError(.notFound, "The account has no such purchase.")
        }
        return purchase
    }

    private static func item(
        of purchase: Purchase, _ db: StoreTransaction
    ) throws -> (item: Item, version: String)? {
        guard let item = try Item.bought(purchase.productIdentifier, in: purchase.bundleIdentifier, db),
            let bought = try ItemPurchase.of(purchase, db)
        else { return nil }
        return (item, bought.version)
    }

    private static func entry(_ purchase: Purchase, _ db: StoreTransaction) throws -> HistoryEntry {
        let bundle = purchase.bundleIdentifier
        return HistoryEntry(
            purchase: purchase,
            app: try Item.seller(of: purchase.productIdentifier, in: bundle, db),
            product: try Catalogue.product(purchase.productIdentifier, of: bundle, db))
    }
}

extension Purchase {
    /// The purchases of an account in all apps before a place, newest first.
    static func history(
        of account: AccountIdentifier, before last: Position?, limit: Int, _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase
            WHERE environment = $1 AND account_id = $2 AND bucket = $6 AND (purchased_at, transaction_id) < ($3, $4)
            ORDER BY purchased_at DESC, transaction_id DESC LIMIT $5
            """,
            [
                db.environment.rawValue, account, last?.date.milliseconds ?? Int64.max,
                last?.transactionIdentifier ?? "", limit, account.bucket,
            ]
        ).map(Purchase.init)
    }
}
