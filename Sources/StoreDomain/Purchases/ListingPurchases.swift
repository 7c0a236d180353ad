// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists purchases page by page, for the store's operator.
///
/// ```swift
/// var page = try await list(of: account.identifier, bundleIdentifier: app)
/// while let next = page.next { page = try await list(of: account.identifier, bundleIdentifier: app, after: next) }
/// ```
package struct ListingPurchases: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of purchases on a page.
    package static let pageSize = 200

    /// Some purchases, in their order.
    package struct Page<Cursor: Hashable & Sendable>: Sendable {
        package var purchases: [Purchase]
        /// The cursor of the next page; `nil` after the last purchase.
        package var next: Cursor?
    }

    /// The purchases of an account in an app, oldest first.
    package func callAsFunction(
        of account: AccountIdentifier, bundleIdentifier: BundleIdentifier, after last: Purchase.Position? = nil
    ) async throws -> Page<Purchase.Position> {
        try await read { db in
            Self.page(
                try Purchase.of(
                    account, bundleIdentifier: bundleIdentifier, after: last, limit: Self.pageSize + 1, db))
        }
    }

    /// The purchases of all accounts in an app, oldest first.
    package func callAsFunction(
        in bundleIdentifier: BundleIdentifier, after last: Purchase.Position? = nil
    ) async throws -> Page<Purchase.Position> {
        try await read { db in
            Self.page(try Purchase.made(in: bundleIdentifier, after: last, limit: Self.pageSize + 1, db))
        }
    }

    /// The purchases of an account in an app that its events after a number
    /// concern, in the order of the events. A purchase with several events,
    /// for example one that was finished and then refunded, is listed with
    /// each.
    package func changed(
        after position: AccountEvent.Position, bundleIdentifier: BundleIdentifier
    ) async throws -> Page<AccountEvent.Position> {
        try await read { db in
            let changes = try AccountEvent.changes(
                after: position, bundleIdentifier: bundleIdentifier, limit: Self.pageSize + 1, db)
            let listed = changes.prefix(Self.pageSize)
            return Page(
                purchases: listed.map(\.purchase),
                next: changes.count > Self.pageSize
                    ? listed.last.map { AccountEvent.Position(account: position.account, number: $0.number) } : nil)
        }
    }

    private static func page(_ purchases: [Purchase]) -> Page<Purchase.Position> {
        let listed = Array(purchases.prefix(pageSize))
        return Page(purchases: listed, next: purchases.count > pageSize ? listed.last?.position : nil)
    }
}

extension Purchase {
    fileprivate static func of(
        _ account: AccountIdentifier, bundleIdentifier: BundleIdentifier, after last: Position?, limit: Int,
        _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $7
                AND (purchased_at, transaction_id) > ($4, $5)
            ORDER BY purchased_at, transaction_id LIMIT $6
            """,
            [
                db.environment.rawValue, account, bundleIdentifier, last?.date.milliseconds ?? Int64.min,
                last?.transactionIdentifier ?? "", limit, account.bucket,
            ]
        ).map(Purchase.init)
    }

    /// The purchases of an app after a place, oldest first.
    static func made(
        in bundleIdentifier: BundleIdentifier, after last: Position?, limit: Int, _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase
            WHERE environment = $1 AND bundle_id = $2 AND (purchased_at, transaction_id) > ($3, $4)
            ORDER BY purchased_at, transaction_id LIMIT $5
            """,
            [
                db.environment.rawValue, bundleIdentifier, last?.date.milliseconds ?? Int64.min,
                last?.transactionIdentifier ?? "", limit,
            ]
        ).map(Purchase.init)
    }
}

extension AccountEvent {
    fileprivate static func changes(
        after position: Position, bundleIdentifier: BundleIdentifier, limit: Int, _ db: StoreTransaction
    ) throws -> [(number: Int64, purchase: Purchase)] {
        try db.rows(
            """
            SELECT event.event_number AS number, \(Purchase.columns)
            FROM event JOIN purchase
                ON purchase.environment = event.environment AND purchase.transaction_id = event.transaction_id
                AND purchase.bucket = event.bucket
            WHERE event.environment = $1 AND event.account_id = $2 AND event.bundle_id = $3 AND event.bucket = $6
                AND event.event_number > $4
            ORDER BY event.event_number LIMIT $5
            """,
            [
                db.environment.rawValue, position.account, bundleIdentifier, position.number, limit,
                position.account.bucket,
            ]
        ).map { (try $0.get("number"), try Purchase($0)) }
    }
}
