// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension HostedContent.Summary {
    /// The columns that ``init(_:)`` reads, of a statement with ``join``.
    static let columns = """
        content_version.version AS content_version, content_version.file_count AS content_files,
        content_version.file_bytes AS content_bytes
        """

    /// Adds the newest content of each purchase's product to a statement, so
    /// that a queue or an event costs no statement more.
    static let join = """
        LEFT JOIN content_version
            ON content_version.bundle_id = purchase.bundle_id AND content_version.product_id = purchase.product_id
            AND content_version.is_newest = 1
        """

    /// `nil` for a product without content.
    init?(_ row: Row) throws {
        let version: String? = try row.get("content_version")
        guard let version else { return nil }
        self.init(
            version: version,
            files: HostedContent.Files(count: try row.get("content_files"), bytes: try row.get("content_bytes")))
    }

    private static let ofProducts = BatchedStatement(firstPlace: 2) { list in
        """
        SELECT product_id, \(columns) FROM content_version
        WHERE bundle_id = $1 AND product_id IN (\(list)) AND is_newest = 1
        """
    }

    /// The newest content of those products of an app that have any.
    static func newest(
        of products: [ProductIdentifier], in bundle: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [ProductIdentifier: HostedContent.Summary] {
        var found: [ProductIdentifier: HostedContent.Summary] = [:]
        for batch in ofProducts.batches(of: products) {
            for row in try db.rows(batch.sql, [bundle] + batch.values) {
                found[try row.get("product_id")] = try HostedContent.Summary(row)
            }
        }
        return found
    }
}
