// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDatabase

extension Purchase {
    private static let names = [
        "transaction_id", "original_transaction_id", "account_id", "bundle_id", "product_id", "kind", "quantity",
        "username", "purchased_at", "original_purchased_at", "milliunits", "currency", "storefront", "device_id",
        "request_id", "is_in_receipt", "revoked_at",
    ]

    /// The columns that ``init(_:)`` reads, for a statement that may read
    /// other tables too.
    static let columns = names.map { "purchase.\($0)" }.joined(separator: ", ")

    init(_ row: Row) throws {
        let revoked: Int64? = try row.get("revoked_at")
        self.init(
            transactionIdentifier: try row.get("transaction_id"),
            originalTransactionIdentifier: try row.get("original_transaction_id"), account: try row.get("account_id"),
            bundleIdentifier: try row.get("bundle_id"), productIdentifier: try row.get("product_id"),
            kind: Product.Kind(rawValue: try row.get("kind")), quantity: try row.get("quantity"),
            applicationUsername: try row.get("username"), date: StoreTime(milliseconds: try row.get("purchased_at")),
            originalDate: StoreTime(milliseconds: try row.get("original_purchased_at")),
            price: Money(milliunits: try row.get("milliunits"), currency: try row.get("currency")),
            storefront: try row.get("storefront"), device: try row.get("device_id"),
            requestIdentifier: try row.get("request_id"), isInReceipt: try row.get("is_in_receipt"),
            revoked: revoked.map(StoreTime.init(milliseconds:)))
    }

    static func find(_ identifier: TransactionIdentifier, _ db: StoreTransaction) throws
        -> Purchase?
    {
        try db.row(
            "SELECT \(columns) FROM purchase WHERE environment = $1 AND transaction_id = $2",
            [db.environment.rawValue, identifier]
        ).map(Purchase.init)
    }

    /// The purchase that a device's request became.
    static func find(
        request identifier: RequestIdentifier, of device: DeviceIdentifier, _ db: StoreTransaction
    ) throws -> Purchase? {
        try db.row(
            "SELECT \(columns) FROM purchase WHERE environment = $1 AND device_id = $2 AND request_id = $3",
            [db.environment.rawValue, device, identifier]
        ).map(Purchase.init)
    }

    /// The encoded purchases that a receipt of this account and app lists,
    /// newest first.
    static func receiptEntries(
        of account: AccountIdentifier, bundleIdentifier: BundleIdentifier, limit: Int, _ db: StoreTransaction
    ) throws -> [ReceiptEntry] {
        try db.rows(
            """
            SELECT transaction_id, kind, receipt_attribute FROM purchase
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND is_in_receipt = 1
            ORDER BY purchased_at DESC, transaction_id DESC LIMIT $4
            """, [db.environment.rawValue, account, bundleIdentifier, limit]
        ).compactMap { row in
            let kept: Data? = try row.get("receipt_attribute")
            let encoded =
                try kept ?? find(try row.get("transaction_id"), db).map { try InAppPurchase($0).encodedForReceipt }
            return try encoded.map { ReceiptEntry(kind: Product.Kind(rawValue: try row.get("kind")), encoded: $0) }
        }
    }

    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO purchase (environment, \(Self.names.joined(separator: ", ")), receipt_attribute)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
            """,
            [
                db.environment.rawValue, transactionIdentifier, originalTransactionIdentifier, account,
                bundleIdentifier,
                productIdentifier, kind.rawValue, quantity, applicationUsername, date.milliseconds,
                originalDate.milliseconds, price.milliunits, price.currency, storefront, device?.rawValue,
                requestIdentifier, isInReceipt, revoked?.milliseconds, try InAppPurchase(self).encodedForReceipt,
            ])
    }

    /// The first purchases of non-consumables that can be restored to a
    /// device, oldest first, after `last`. Refunded purchases, and those that
    /// wait in the device's queue, are left out.
    static func restorable(
        of account: AccountIdentifier, for request: DeviceRequest, after last: Purchase.Position?, limit: Int,
        _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND is_in_receipt = 1
                AND kind = $4 AND revoked_at IS NULL AND transaction_id = original_transaction_id
                AND (purchased_at, transaction_id) > ($5, $6)
                AND NOT EXISTS (
                    SELECT 1 FROM queue_entry JOIN purchase AS waiting
                        ON waiting.environment = queue_entry.environment
                        AND waiting.transaction_id = queue_entry.transaction_id
                    WHERE queue_entry.environment = $1 AND queue_entry.device_id = $7
                        AND queue_entry.bundle_id = $3
                        AND waiting.original_transaction_id = purchase.transaction_id)
            ORDER BY purchased_at, transaction_id LIMIT $8
            """,
            [
                db.environment.rawValue, account, request.bundleIdentifier, Product.Kind.nonConsumable.rawValue,
                last?.date.milliseconds ?? Int64.min, last?.transactionIdentifier ?? "", request.device, limit,
            ]
        ).map(Purchase.init)
    }

    /// A first purchase with all later purchases that refer to it, oldest
    /// first.
    static func all(of original: OriginalTransactionIdentifier, _ db: StoreTransaction) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase WHERE environment = $1 AND original_transaction_id = $2
            ORDER BY purchased_at, transaction_id
            """, [db.environment.rawValue, original]
        ).map(Purchase.init)
    }

    /// Saves the date of the refund, in the receipt too.
    func saveRevocation(_ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE purchase SET revoked_at = $3, receipt_attribute = $4
            WHERE environment = $1 AND transaction_id = $2 AND revoked_at IS NULL
            """,
            [
                db.environment.rawValue, transactionIdentifier, revoked?.milliseconds,
                try InAppPurchase(self).encodedForReceipt,
            ])
    }

    static func leaveReceipt(_ identifier: TransactionIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            "UPDATE purchase SET is_in_receipt = 0 WHERE environment = $1 AND transaction_id = $2",
            [db.environment.rawValue, identifier])
    }
}
