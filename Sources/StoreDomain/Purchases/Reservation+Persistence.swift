// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Reservation {
    static func find(account: AccountIdentifier, product: Product, _ db: StoreTransaction) throws -> Reservation? {
        try find(account: account, product.bundleIdentifier, product.productIdentifier, db)
    }

    /// The right of an account to own a product, which needn't be in the
    /// catalogue any more.
    static func find(
        account: AccountIdentifier, _ bundle: BundleIdentifier, _ product: ProductIdentifier, _ db: StoreTransaction
    ) throws -> Reservation? {
        try db.row(
            """
            SELECT payment_number, transaction_id FROM reservation
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND product_id = $4 AND bucket = $5
            """,
            [db.environment.rawValue, account, bundle, product, account.bucket]
        ).map {
            Reservation(
                paymentNumber: try $0.get("payment_number"), transactionIdentifier: try $0.get("transaction_id"))
        }
    }

    static func insert(
        account: AccountIdentifier, product: Product, paymentNumber: PaymentIdentifier, _ db: StoreTransaction
    ) throws {
        try db.run(
            """
            INSERT INTO reservation (environment, account_id, bundle_id, product_id, payment_number, transaction_id,
                bucket)
            VALUES ($1, $2, $3, $4, $5, NULL, $6)
            """,
            [
                db.environment.rawValue, account, product.bundleIdentifier, product.productIdentifier, paymentNumber,
                account.bucket,
            ])
    }

    /// Records the purchase that completes a reservation.
    static func complete(_ purchase: Purchase, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE reservation SET transaction_id = $5
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND product_id = $4 AND bucket = $6
            """,
            [
                db.environment.rawValue, purchase.account, purchase.bundleIdentifier, purchase.productIdentifier,
                purchase.transactionIdentifier, purchase.account.bucket,
            ])
    }

    /// Gives back the right to own a product whose refund is taken back.
    static func restore(_ purchase: Purchase, paidBy payment: PaymentIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO reservation (environment, account_id, bundle_id, product_id, payment_number, transaction_id,
                bucket)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                db.environment.rawValue, purchase.account, purchase.bundleIdentifier, purchase.productIdentifier,
                payment, purchase.transactionIdentifier, purchase.account.bucket,
            ])
    }

    /// Ends the right to own a refunded product: it can be bought again.
    static func end(_ purchase: Purchase, _ db: StoreTransaction) throws {
        try db.run(
            """
            DELETE FROM reservation
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND product_id = $4 AND bucket = $6
                AND transaction_id = $5
            """,
            [
                db.environment.rawValue, purchase.account, purchase.bundleIdentifier, purchase.productIdentifier,
                purchase.transactionIdentifier, purchase.account.bucket,
            ])
    }

    /// Releases the right to buy when a payment was declined or voided.
    static func release(_ request: DeviceRequest, _ payment: Payment, _ db: StoreTransaction) throws {
        try db.run(
            """
            DELETE FROM reservation
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND product_id = $4 AND bucket = $6
                AND payment_number = $5 AND transaction_id IS NULL
            """,
            [
                db.environment.rawValue, payment.account, request.bundleIdentifier, request.productIdentifier,
                payment.number, payment.account.bucket,
            ])
    }
}
