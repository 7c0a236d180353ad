// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ContentUpload {
    private static let columns = """
        upload_id, bundle_id, product_id, version, object_bytes, checksum, received, storage_state, touched_at
        """

    private init(_ row: Row) throws {
        self.init(
            identifier: try row.get("upload_id"), bundleIdentifier: try row.get("bundle_id"),
            productIdentifier: try row.get("product_id"), version: try row.get("version"),
            bytes: try row.get("object_bytes"), checksum: try row.get("checksum"),
            touched: WallTime(milliseconds: try row.get("touched_at")))
        received = try row.get("received")
        storageState = try row.get("storage_state")
    }

    static func find(_ identifier: UploadIdentifier, _ db: StoreTransaction) throws -> ContentUpload? {
        try db.row("SELECT \(columns) FROM content_upload WHERE upload_id = $1", [identifier]).map(ContentUpload.init)
    }

    /// The upload of the same version with the same bytes.
    static func find(
        version: String, checksum: String, of product: ProductIdentifier, in bundle: BundleIdentifier,
        _ db: StoreTransaction
    ) throws -> ContentUpload? {
        try db.row(
            """
            SELECT \(columns) FROM content_upload
            WHERE bundle_id = $1 AND product_id = $2 AND version = $3 AND checksum = $4
            """, [bundle, product, version, checksum]
        ).map(ContentUpload.init)
    }

    /// The uploads of a product that aren't complete yet, by version.
    static func all(
        of product: ProductIdentifier, in bundle: BundleIdentifier, limit: Int, _ db: StoreTransaction
    ) throws -> [ContentUpload] {
        try db.rows(
            """
            SELECT \(columns) FROM content_upload WHERE bundle_id = $1 AND product_id = $2
            ORDER BY version, checksum LIMIT $3
            """, [bundle, product, limit]
        ).map(ContentUpload.init)
    }

    func insert(_ db: StoreTransaction) throws {
        try db.run(
            "INSERT INTO content_upload (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            [
                identifier, bundleIdentifier, productIdentifier, version, bytes, checksum, received, storageState,
                touched.milliseconds,
            ])
    }

    /// Counts a part that the storage has made durable. Changes nothing if
    /// another process has counted one meanwhile.
    func saveReceived(after before: ContentUpload, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE content_upload SET received = $2, storage_state = $3, touched_at = $4
            WHERE upload_id = $1 AND received = $5 AND storage_state = $6
            """, [identifier, received, storageState, touched.milliseconds, before.received, before.storageState])
    }

    /// Returns whether it was there.
    @discardableResult
    static func delete(_ identifier: UploadIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.run("DELETE FROM content_upload WHERE upload_id = $1", [identifier]) == 1
    }

    /// Deletes an upload that wasn't continued since a moment, and returns
    /// whether it was one.
    static func delete(_ identifier: UploadIdentifier, untouchedSince limit: WallTime, _ db: StoreTransaction) throws
        -> Bool
    {
        try db.run(
            "DELETE FROM content_upload WHERE upload_id = $1 AND touched_at < $2", [identifier, limit.milliseconds]
        ) == 1
    }

    /// Uploads that weren't continued since a moment, the oldest first.
    static func untouched(since limit: WallTime, limit count: Int, _ db: StoreTransaction) throws -> [ContentUpload] {
        try db.rows(
            """
            SELECT \(columns) FROM content_upload WHERE touched_at < $1
            ORDER BY touched_at, upload_id LIMIT $2
            """, [limit.milliseconds, count]
        ).map(ContentUpload.init)
    }

    private static let existing = BatchedStatement(firstPlace: 1) { list in
        "SELECT upload_id FROM content_upload WHERE upload_id IN (\(list))"
    }

    /// Which of the uploads there are.
    static func existing(_ uploads: [UploadIdentifier], _ db: StoreTransaction) throws -> Set<UploadIdentifier> {
        var found: Set<UploadIdentifier> = []
        for batch in existing.batches(of: uploads) {
            for row in try db.rows(batch.sql, batch.values) { found.insert(try row.get("upload_id")) }
        }
        return found
    }
}
