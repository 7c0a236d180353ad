// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension CatalogueSource {
    /// The checksum of the file from which the operator has imported an app's
    /// catalogue last; `nil` when none was. A file that the app's team has
    /// imported since doesn't change it.
    static func checksum(of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws -> String? {
        try db.row(
            "SELECT COALESCE(operator_checksum, checksum) AS checksum FROM catalogue_source WHERE bundle_id = $1",
            [bundleIdentifier])?.get("checksum")
    }

    /// The file from which an app's catalogue was imported last; `nil` when
    /// none was.
    static func find(of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws -> CatalogueSource? {
        try db.row(
            "SELECT name, contents, checksum, imported_at FROM catalogue_source WHERE bundle_id = $1",
            [bundleIdentifier]
        ).map { row in
            CatalogueSource(
                bundleIdentifier: bundleIdentifier, name: try row.get("name"), contents: try row.get("contents"),
                checksum: try row.get("checksum"), importedAt: WallTime(milliseconds: try row.get("imported_at")))
        }
    }

    /// Replaces the app's file by one that the operator imports.
    func save(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO catalogue_source (bundle_id, name, contents, checksum, imported_at)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (bundle_id) DO UPDATE SET
                name = excluded.name, contents = excluded.contents, checksum = excluded.checksum,
                imported_at = excluded.imported_at, operator_checksum = NULL
            """, [bundleIdentifier, name, contents, checksum, importedAt.milliseconds])
    }

    /// Replaces the app's file by one that its team imports. The next start of
    /// the store doesn't import the operator's file again.
    func saveOfTeam(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO catalogue_source (bundle_id, name, contents, checksum, imported_at, operator_checksum)
            VALUES ($1, $2, $3, $4, $5, '')
            ON CONFLICT (bundle_id) DO UPDATE SET
                name = excluded.name, contents = excluded.contents, checksum = excluded.checksum,
                imported_at = excluded.imported_at,
                operator_checksum = COALESCE(catalogue_source.operator_checksum, catalogue_source.checksum)
            """, [bundleIdentifier, name, contents, checksum, importedAt.milliseconds])
    }
}
