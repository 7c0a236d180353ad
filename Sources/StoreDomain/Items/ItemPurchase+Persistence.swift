// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ItemPurchase {
    /// Saves the version of the item that a purchase brings, in the transaction
    /// of the purchase. An item that is given again keeps the version of its
    /// first purchase.
    static func record(_ purchase: Purchase, _ db: StoreTransaction) throws {
        guard purchase.isOriginal, let item = Item.identifier(of: purchase) else { return }
        try db.run(
            """
            INSERT INTO item_purchase (environment, transaction_id, bucket, item_id, version)
            SELECT $1, $2, $3, item_id, version FROM item WHERE item_id = $4
            """, [db.environment.rawValue, purchase.transactionIdentifier, purchase.account.bucket, item])
        // An app that is got on its page is downloaded.
        if let app = try Item.app(of: item, db) { try AppTransaction.record(app, of: purchase.account, db) }
    }

    /// The purchase of an item by an account; `nil` for an item that it doesn't
    /// own.
    static func find(
        item: Int64, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> (purchase: Purchase, item: ItemPurchase)? {
        let product = Item.product(of: item)
        guard
            let bought = try Reservation.find(account: account, Item.catalogue, product, db)?.transactionIdentifier,
            let purchase = try Purchase.find(bought, of: account, db), let record = try of(purchase, db)
        else { return nil }
        return (purchase, record)
    }

    /// The record of an account's first purchase of an item; `nil` for another
    /// purchase.
    static func of(_ purchase: Purchase, _ db: StoreTransaction) throws -> ItemPurchase? {
        let original = TransactionIdentifier(purchase.originalTransactionIdentifier)
        return try db.row(
            """
            SELECT item_id, version FROM item_purchase
            WHERE environment = $1 AND transaction_id = $2 AND bucket = $3
            """, [db.environment.rawValue, original, purchase.account.bucket]
        ).map { row in
            ItemPurchase(transaction: original, item: try row.get("item_id"), version: try row.get("version"))
        }
    }
}
