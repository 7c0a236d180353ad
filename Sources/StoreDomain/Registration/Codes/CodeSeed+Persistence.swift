// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

extension CodeSeed {
    /// The seed of a batch whose codes can still be downloaded.
    static func find(_ batch: String, _ db: StoreTransaction) throws -> CodeSeed? {
        try db.row(
            "SELECT seed, created_at FROM offer_code_seed WHERE environment = $1 AND batch_id = $2 AND created_at > $3",
            [db.environment.rawValue, batch, (db.now - lifetime).milliseconds]
        ).map { row in
            CodeSeed(
                batch: batch, seed: try row.get("seed"), created: WallTime(milliseconds: try row.get("created_at")))
        }
    }

    func insert(_ db: StoreTransaction) throws {
        try db.run(
            "INSERT INTO offer_code_seed (environment, batch_id, seed, created_at) VALUES ($1, $2, $3, $4)",
            [db.environment.rawValue, batch, seed, created.milliseconds])
    }
}
