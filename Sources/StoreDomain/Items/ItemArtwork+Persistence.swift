// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ItemArtwork {
    /// The digests of an item's images, in the order of their places.
    static func digests(of item: Int64, _ db: StoreTransaction) throws -> [(place: Int, digest: String)] {
        try db.rows("SELECT place, digest FROM item_artwork WHERE item_id = $1 ORDER BY place", [item])
            .map { (try $0.get("place"), try $0.get("digest")) }
    }

    static func find(_ digest: String, of item: Int64, _ db: StoreTransaction) throws -> ItemArtwork? {
        try db.row(
            "SELECT digest, type, bytes FROM item_artwork WHERE item_id = $1 AND digest = $2 LIMIT 1", [item, digest]
        ).map { ItemArtwork(digest: try $0.get("digest"), type: try $0.get("type"), bytes: try $0.get("bytes")) }
    }

    /// The bytes of an item's images but that at a place.
    static func bytes(of item: Int64, besides place: Int, _ db: StoreTransaction) throws -> Int {
        let row = try db.row(
            """
            SELECT CAST(COALESCE(SUM(length(bytes)), 0) AS BIGINT) AS bytes FROM item_artwork
            WHERE item_id = $1 AND place <> $2
            """, [item, place])
        return try row?.get("bytes") ?? 0
    }

    /// Saves the image in the place of the one that is there.
    func save(at place: Int, of item: Int64, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO item_artwork (item_id, place, digest, type, bytes) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (item_id, place) DO UPDATE SET
                digest = excluded.digest, type = excluded.type, bytes = excluded.bytes
            """, [item, place, digest, type, bytes])
    }

    static func remove(at place: Int, of item: Int64, _ db: StoreTransaction) throws {
        try db.run("DELETE FROM item_artwork WHERE item_id = $1 AND place = $2", [item, place])
    }
}
