// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The right of an account to own a non-consumable. It is held from before
/// the payment is authorised until the payment fails or the purchase is
/// refunded. The index `reservation_owned_once` allows one row per account
/// and product.
struct Reservation {
    var paymentNumber: String
    /// The purchase; `nil` while the payment is under way.
    var transactionIdentifier: String?

    static func find(
        account: String, product: Product, _ environment: StoreEnvironment, _ connection: any Connection
    ) throws -> Reservation? {
        try connection.row(
            """
            SELECT payment_number, transaction_id FROM reservation
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND product_id = $4
            """, [environment.rawValue, account, product.bundleIdentifier, product.productIdentifier]
        ).map {
            Reservation(
                paymentNumber: try $0.get("payment_number"), transactionIdentifier: try $0.get("transaction_id"))
        }
    }

    static func insert(
        account: String, product: Product, paymentNumber: String, _ environment: StoreEnvironment,
        _ connection: any Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO reservation (environment, account_id, bundle_id, product_id, payment_number, transaction_id)
            VALUES ($1, $2, $3, $4, $5, NULL)
            """,
            [environment.rawValue, account, product.bundleIdentifier, product.productIdentifier, paymentNumber])
    }

    /// Records the purchase that completes a reservation.
    static func complete(_ purchase: Purchase, _ environment: StoreEnvironment, _ connection: any Connection) throws {
        try connection.run(
            """
            UPDATE reservation SET transaction_id = $5
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND product_id = $4
            """,
            [
                environment.rawValue, purchase.account, purchase.bundleIdentifier, purchase.productIdentifier,
                purchase.transactionIdentifier,
            ])
    }

    /// Ends the right to own a refunded product: it can be bought again.
    static func end(_ purchase: Purchase, _ environment: StoreEnvironment, _ connection: any Connection) throws {
        try connection.run(
            """
            DELETE FROM reservation
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND product_id = $4 AND transaction_id = $5
            """,
            [
                environment.rawValue, purchase.account, purchase.bundleIdentifier, purchase.productIdentifier,
                purchase.transactionIdentifier,
            ])
    }

    /// Releases the right to buy when a payment was declined or voided.
    static func release(
        _ request: DeviceRequest, _ payment: Payment, _ environment: StoreEnvironment, _ connection: any Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM reservation
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND product_id = $4
                AND payment_number = $5 AND transaction_id IS NULL
            """,
            [
                environment.rawValue, payment.account, request.bundleIdentifier, request.productIdentifier,
                payment.number,
            ])
    }
}
