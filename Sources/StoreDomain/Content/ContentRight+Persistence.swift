// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ContentRight {
    /// The right that a purchase gives now. A closed account owns nothing.
    init(of purchase: Purchase, _ db: StoreTransaction) throws {
        guard let account = try Account.findOpen(purchase.account, db) else {
            self = .notOwned("The account is closed.")
            return
        }
        var subscription: SubscriptionState?
        if purchase.kind == .autoRenewable {
            subscription = try Subscription.find(
                purchase.originalTransactionIdentifier, of: account.identifier, db)?.newestState
        }
        self.init(of: purchase, subscription: subscription, at: account.time(at: db.now))
    }
}

extension Purchase {
    /// The purchase of an account that a device knows by a transaction's
    /// identifier: its own, or that of a restored transaction.
    static func find(
        knownAs transaction: TransactionIdentifier, on device: DeviceIdentifier, of account: AccountIdentifier,
        _ db: StoreTransaction
    ) throws -> Purchase? {
        if let purchase = try find(transaction, of: account, db) {
            return purchase.account == account ? purchase : nil
        }
        return try db.row(
            """
            SELECT \(columns)
            FROM restored_transaction JOIN purchase
                ON purchase.environment = restored_transaction.environment
                AND purchase.transaction_id = restored_transaction.restores_transaction_id
                AND purchase.bucket = restored_transaction.account_bucket
            WHERE restored_transaction.environment = $1 AND restored_transaction.device_id = $2
                AND restored_transaction.account_bucket = $3 AND restored_transaction.transaction_id = $4
                AND purchase.account_id = $5
            """, [db.environment.rawValue, device, account.bucket, transaction, account]
        ).map(Purchase.init)
    }
}
