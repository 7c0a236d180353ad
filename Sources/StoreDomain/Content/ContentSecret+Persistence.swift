// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// The secret of hosted content, which all processes of a store share.
///
/// It isn't protected by the operator's key, as the secrets of `StoreSecrets`
/// are: it only signs addresses, each of which is of use as long as its
/// account owns the product.
enum ContentSecret {
    /// Reads the secret, which is `proposed` if there is none yet.
    static func readOrInsert(_ proposed: Data, _ db: StoreTransaction) throws -> Data {
        try db.run(
            "INSERT INTO content_secret (secret_id, secret) VALUES (1, $1) ON CONFLICT (secret_id) DO NOTHING",
            [proposed])
        let row = try db.row("SELECT secret FROM content_secret WHERE secret_id = 1")
        return try row?.get("secret") ?? proposed
    }
}
