// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

extension SharedContact {
    /// Saves the contact that was shared with a purchase.
    func insert(with purchase: Purchase, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO shared_contact (environment, transaction_id, bucket, account_id, bundle_id, product_id, name,
                email, postcode, shared_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                db.environment.rawValue, purchase.transactionIdentifier, purchase.account.bucket, purchase.account,
                purchase.bundleIdentifier, purchase.productIdentifier, name, email, postcode, db.now.milliseconds,
            ])
    }

    /// Whether an account has shared a contact with the seller of an app.
    static func exists(
        of account: AccountIdentifier, bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM shared_contact
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $4 LIMIT 1
            """, [db.environment.rawValue, account, bundleIdentifier, account.bucket]) != nil
    }

    /// Whether an account has shared a contact with the seller of an app, or
    /// does so with a purchase whose payment is under way: the period that is
    /// longer for it is given once.
    static func isGiven(
        by account: AccountIdentifier, bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> Bool {
        if try exists(of: account, bundleIdentifier: bundleIdentifier, db) { return true }
        return try Payment.underWay(for: account, db).contains { payment in
            guard let request = try payment.request(db) else { return false }
            return request.contact != nil && request.bundleIdentifier == bundleIdentifier
        }
    }

    /// Deletes the contacts of an account that is closed.
    static func deleteAll(of account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM shared_contact WHERE environment = $1 AND account_id = $2 AND bucket = $3",
            [db.environment.rawValue, account, account.bucket])
    }
}

/// The form of a contact in the row of the request that it belongs to, until
/// the purchase is made.
private struct StoredExchange: Codable {
    var contact: SharedContact
    /// A length in the form of ISO 8601.
    var bonus: String
}

extension ContactExchange {
    /// The text for the row of a request.
    var stored: String {
        get throws {
            try SortedJSON.text(StoredExchange(contact: contact, bonus: bonus.iso8601))
        }
    }

    /// Reads the text of a request's row.
    ///
    /// - Throws: `DatabaseError` for a text that this version can't read.
    init(stored text: String) throws {
        guard let stored = try? JSONDecoder().decode(StoredExchange.self, from: Data(text.utf8)),
            let bonus = SubscriptionPeriod(iso8601: stored.bonus)
        else { throw DatabaseError(.column, "The contact of a request can't be read.") }
        self.init(contact: stored.contact, bonus: bonus)
    }
}
