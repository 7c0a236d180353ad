// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension OfferCode {
    /// The code with a text in an app; `nil` when the app has none.
    static func find(
        _ code: OfferCodeText, in bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> OfferCode? {
        try find(hash: code.hash(in: bundleIdentifier), db)
    }

    /// Whether another app has a code that the store has drawn. A seller's
    /// custom code isn't revealed so.
    static func isOfAnotherApp(_ code: OfferCodeText, _ db: StoreTransaction) throws -> Bool {
        guard code.isDrawn else { return false }
        return try OfferCodeBatch.apps(db).contains { try find(code, in: $0, db) != nil }
    }

    static func find(hash: String, _ db: StoreTransaction) throws -> OfferCode? {
        let row = try db.row(
            """
            SELECT batch_id, uses, uses_limit FROM offer_code WHERE environment = $1 AND hash = $2
            """, [db.environment.rawValue, hash])
        guard let row, let batch = try OfferCodeBatch.find(try row.get("batch_id"), db), batch.isComplete else {
            return nil
        }
        return OfferCode(hash: hash, batch: batch, uses: try row.get("uses"), usesLimit: try row.get("uses_limit"))
    }

    /// The batch that has saved a hash, complete or not.
    static func batch(of hash: String, _ db: StoreTransaction) throws -> String? {
        try db.row(
            "SELECT batch_id FROM offer_code WHERE environment = $1 AND hash = $2", [db.environment.rawValue, hash]
        ).map { try $0.get("batch_id") }
    }
}
