// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AppCatalogue {
    /// The bytes of an app's products and groups.
    static func bytes(of app: BundleIdentifier, _ db: StoreTransaction) throws -> Int {
        try db.row(
            """
            SELECT CAST(
                COALESCE((SELECT SUM(bytes) FROM product WHERE bundle_id = $1), 0)
                + COALESCE((SELECT SUM(bytes) FROM subscription_group WHERE bundle_id = $1), 0) AS BIGINT) AS n
            """, [app])?.get("n") ?? 0
    }

    /// Checks that an app has room for a seller's change. One that makes the catalogue no larger is always possible.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    static func requireRoom(for bytes: Int, in app: BundleIdentifier, _ db: StoreTransaction) throws {
        guard try bytes <= 0 || allows(self.bytes(of: app, db), growingBy: bytes) else { throw full }
    }
}
