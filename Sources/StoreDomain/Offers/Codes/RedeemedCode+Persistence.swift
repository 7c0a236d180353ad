// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

extension RedeemedCode {
    /// The text for the row of a request.
    var stored: String {
        get throws { try SortedJSON.text(self) }
    }

    /// Reads the text of a request's row.
    ///
    /// - Throws: `DatabaseError` for a text that this version can't read.
    init(stored text: String) throws {
        guard let code = try? JSONDecoder().decode(RedeemedCode.self, from: Data(text.utf8)) else {
            throw DatabaseError(.column, "The code of a request can't be read.")
        }
        self = code
    }

    /// Uses the code once for an account, and records the redemption.
    ///
    /// - Throws: ``DomainError`` `codeUsed` when it can't be used any more: of
    ///   two customers who redeem the last use at the same time, one gets it.
    ///   `codeRevoked` when its batch was revoked since the code was read: a
    ///   revocation counts every redemption of the batch.
    func spend(for account: AccountIdentifier, on request: DeviceRequest, _ db: StoreTransaction) throws {
        guard try OfferCodeBatch.countRedemption(batch, db) else { throw OfferCode.revoked }
        let used = try db.run(
            "UPDATE offer_code SET uses = uses + 1 WHERE environment = $1 AND hash = $2 AND uses < uses_limit",
            [db.environment.rawValue, hash])
        guard used == 1 else { throw OfferCode.usedUp }
        try db.run(
            """
            INSERT INTO code_redemption (environment, payment_number, bucket, account_id, hash, batch_id, bundle_id,
                product_id, offer_id, redeemed_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                db.environment.rawValue, number, account.bucket, account, hash, batch, request.bundleIdentifier,
                request.productIdentifier, offer, db.now.milliseconds,
            ])
    }

    /// Records the purchase that the redemption has led to.
    func complete(by purchase: Purchase, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE code_redemption SET transaction_id = $4
            WHERE environment = $1 AND payment_number = $2 AND bucket = $3
            """,
            [db.environment.rawValue, number, purchase.account.bucket, purchase.transactionIdentifier])
    }

    /// Whether an account has redeemed a code of an offer, or is about to.
    static func isRedeemed(
        _ offer: String, of product: Product, by account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM code_redemption
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND product_id = $4 AND offer_id = $5
                AND bucket = $6
            LIMIT 1
            """,
            [
                db.environment.rawValue, account, product.bundleIdentifier, product.productIdentifier, offer,
                account.bucket,
            ]) != nil
    }
}

extension DeviceRequest {
    /// Gives the use of the code back, when the request has led to no purchase.
    /// The customer can then redeem it again, or another one. Doing it twice
    /// changes nothing.
    mutating func releaseCode(_ db: StoreTransaction) throws {
        guard let code, let account else { return }
        let deleted = try db.run(
            """
            DELETE FROM code_redemption
            WHERE environment = $1 AND payment_number = $2 AND bucket = $3 AND transaction_id IS NULL
            """, [db.environment.rawValue, code.number, account.bucket])
        if deleted == 1 {
            // The batch first, as a redemption does: two transactions lock them in one order.
            try OfferCodeBatch.uncountRedemption(code.batch, db)
            try db.run(
                "UPDATE offer_code SET uses = uses - 1 WHERE environment = $1 AND hash = $2 AND uses > 0",
                [db.environment.rawValue, code.hash])
        }
        self.code = nil
        // A redemption on the page of an app is for that app, with every code.
        if bundleIdentifier != Item.catalogue { productIdentifier = nil }
    }
}
