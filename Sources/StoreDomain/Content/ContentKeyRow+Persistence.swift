// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// A key for the addresses of hosted content, which all processes of a store
/// share. It isn't encrypted: an address also needs the ownership that the
/// database has.
enum ContentKeyRow {
    /// Reads the key with a name, which is `proposed` if there is none yet.
    static func readOrInsert(_ name: String, proposed: Data, _ db: StoreTransaction) throws -> Data {
        try db.run(
            "INSERT INTO content_key (name, secret) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", [name, proposed])
        let row = try db.row("SELECT secret FROM content_key WHERE name = $1", [name])
        return try row?.get("secret") ?? proposed
    }
}
