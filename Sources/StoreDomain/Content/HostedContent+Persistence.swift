// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension HostedContent {
    private static let names = [
        "content_id", "bundle_id", "product_id", "version", "is_newest", "object_id", "object_bytes", "checksum",
        "file_count", "file_bytes", "published_at",
    ]
    private static let columns = names.joined(separator: ", ")

    private init(_ row: Row) throws {
        self.init(
            identifier: try row.get("content_id"), bundleIdentifier: try row.get("bundle_id"),
            productIdentifier: try row.get("product_id"), version: try row.get("version"),
            isNewest: try row.get("is_newest"), object: try row.get("object_id"), bytes: try row.get("object_bytes"),
            checksum: try row.get("checksum"),
            files: Files(count: try row.get("file_count"), bytes: try row.get("file_bytes")),
            published: WallTime(milliseconds: try row.get("published_at")))
    }

    static func find(_ identifier: ContentIdentifier, _ db: StoreTransaction) throws -> HostedContent? {
        try db.row("SELECT \(columns) FROM content_version WHERE content_id = $1", [identifier])
            .map(HostedContent.init)
    }

    static func find(
        version: String, of product: ProductIdentifier, in bundle: BundleIdentifier, _ db: StoreTransaction
    ) throws -> HostedContent? {
        try db.row(
            "SELECT \(columns) FROM content_version WHERE bundle_id = $1 AND product_id = $2 AND version = $3",
            [bundle, product, version]
        ).map(HostedContent.init)
    }

    static func newest(
        of product: ProductIdentifier, in bundle: BundleIdentifier, _ db: StoreTransaction
    ) throws -> HostedContent? {
        try db.row(
            "SELECT \(columns) FROM content_version WHERE bundle_id = $1 AND product_id = $2 AND is_newest = 1",
            [bundle, product]
        ).map(HostedContent.init)
    }

    /// The versions of an app after a place, by product and then by version.
    static func all(
        of bundle: BundleIdentifier, after last: ListingContent.Position?, limit: Int, _ db: StoreTransaction
    ) throws -> [HostedContent] {
        try db.rows(
            """
            SELECT \(columns) FROM content_version
            WHERE bundle_id = $1 AND (product_id, version) > ($2, $3)
            ORDER BY product_id, version LIMIT $4
            """, [bundle, last?.product ?? "", last?.version ?? "", limit]
        ).map(HostedContent.init)
    }

    /// The versions of a product, the newest one last.
    static func all(
        of product: ProductIdentifier, in bundle: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [HostedContent] {
        try db.rows(
            """
            SELECT \(columns) FROM content_version WHERE bundle_id = $1 AND product_id = $2
            ORDER BY is_newest, version
            """, [bundle, product]
        ).map(HostedContent.init)
    }

    /// The versions of a product after one, in their order.
    static func page(
        of product: ProductIdentifier, in bundle: BundleIdentifier, after version: String, limit: Int,
        _ db: StoreTransaction
    ) throws -> [HostedContent] {
        try db.rows(
            """
            SELECT \(columns) FROM content_version WHERE bundle_id = $1 AND product_id = $2 AND version > $3
            ORDER BY version LIMIT $4
            """, [bundle, product, version, limit]
        ).map(HostedContent.init)
    }

    /// The object of another version that has the same bytes.
    static func object(checksum: String, _ db: StoreTransaction) throws -> ContentObjectName? {
        try db.row("SELECT object_id FROM content_version WHERE checksum = $1 LIMIT 1", [checksum])?.get("object_id")
    }

    /// Saves a new version as the newest one of its product.
    func insertAsNewest(_ db: StoreTransaction) throws {
        try db.run(
            "UPDATE content_version SET is_newest = 0 WHERE bundle_id = $1 AND product_id = $2 AND is_newest = 1",
            [bundleIdentifier, productIdentifier])
        try db.run(
            """
            INSERT INTO content_version (\(Self.columns)) VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10)
            """,
            [
                identifier, bundleIdentifier, productIdentifier, version, object, bytes, checksum, files.count,
                files.bytes, published.milliseconds,
            ])
    }

    /// Deletes the version. If it was the newest one of its product, the one
    /// that was published before it is the newest now.
    func delete(_ db: StoreTransaction) throws {
        try db.run("DELETE FROM content_version WHERE content_id = $1", [identifier])
        guard isNewest else { return }
        try db.run(
            """
            UPDATE content_version SET is_newest = 1 WHERE content_id = (
                SELECT content_id FROM content_version WHERE bundle_id = $1 AND product_id = $2
                ORDER BY published_at DESC, content_id DESC LIMIT 1)
            """, [bundleIdentifier, productIdentifier])
    }

    /// The bytes of an app's published content and of its uploads, as if no
    /// two versions had the same bytes.
    static func bytes(of bundle: BundleIdentifier, _ db: StoreTransaction) throws -> Int64 {
        let row = try db.row(
            """
            SELECT CAST(COALESCE(SUM(object_bytes), 0) AS BIGINT) AS bytes FROM (
                SELECT object_bytes FROM content_version WHERE bundle_id = $1
                UNION ALL SELECT object_bytes FROM content_upload WHERE bundle_id = $1
            ) AS hosted
            """, [bundle])
        return try row?.get("bytes") ?? 0
    }

    /// The bytes of the content of a team's apps.
    static func bytes(of team: TeamIdentifier, _ db: StoreTransaction) throws -> Int64 {
        let row = try db.row(
            """
            SELECT CAST(COALESCE(SUM(object_bytes), 0) AS BIGINT) AS bytes FROM (
                SELECT object_bytes FROM app JOIN content_version ON content_version.bundle_id = app.bundle_id
                WHERE app.team_id = $1
                UNION ALL SELECT object_bytes FROM app JOIN content_upload ON content_upload.bundle_id = app.bundle_id
                WHERE app.team_id = $1
            ) AS hosted
            """, [team])
        return try row?.get("bytes") ?? 0
    }

    private static let named = BatchedStatement(firstPlace: 1) { list in
        "SELECT object_id FROM content_version WHERE object_id IN (\(list))"
    }

    /// Which of the objects a version names.
    static func named(_ objects: [ContentObjectName], _ db: StoreTransaction) throws -> Set<ContentObjectName> {
        var found: Set<ContentObjectName> = []
        for batch in named.batches(of: objects) {
            for row in try db.rows(batch.sql, batch.values) { found.insert(try row.get("object_id")) }
        }
        return found
    }
}
