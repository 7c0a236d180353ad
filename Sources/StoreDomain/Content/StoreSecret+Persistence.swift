// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// A secret that all processes of a store share.
enum StoreSecret {
    /// Reads the secret with a name, which is `proposed` if there is none yet.
    static func readOrInsert(_ name: String, proposed: Data, _ db: StoreTransaction) throws -> Data {
        try db.run(
            "INSERT INTO store_secret (name, secret) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", [name, proposed])
        let row = try db.row("SELECT secret FROM store_secret WHERE name = $1", [name])
        return try row?.get("secret") ?? proposed
    }
}
