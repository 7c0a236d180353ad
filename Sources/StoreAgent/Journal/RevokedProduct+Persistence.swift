// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension RevokedProduct {
    /// The revocations that the receipt on disk takes into account, by
    /// product.
    static func load(_ connection: any Connection, knownTo receipt: EventPosition?) throws -> [RevokedProduct] {
        guard let receipt else { return [] }
        return try connection.rows(
            "SELECT product, number FROM revocation WHERE account = $1 AND number <= $2 ORDER BY product",
            [receipt.account, receipt.number]
        ).map { row in
            RevokedProduct(
                product: try row.get("product"),
                position: EventPosition(account: receipt.account, number: try row.get("number")))
        }
    }

    func save(_ connection: any Connection) throws {
        try connection.run(
            """
            INSERT INTO revocation (account, product, number) VALUES ($1, $2, $3)
            ON CONFLICT (account, product) DO UPDATE SET number = $3
            """, [position.account, product, position.number])
    }

    /// Deletes the revocation of a product of an account.
    static func delete(_ product: String, of account: String, _ connection: any Connection) throws {
        try connection.run("DELETE FROM revocation WHERE account = $1 AND product = $2", [account, product])
    }

    /// Deletes it, unless the product was revoked again since.
    func delete(_ connection: any Connection) throws {
        try connection.run(
            "DELETE FROM revocation WHERE account = $1 AND product = $2 AND number = $3",
            [position.account, product, position.number])
    }
}
