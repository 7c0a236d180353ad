// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AppVersion {
    private static let columns = "version, version_number, external_identifier, state, added_at, released_at"

    private init(_ row: Row) throws {
        let released: Int64? = try row.get("released_at")
        self.init(
            version: try row.get("version"), number: try row.get("version_number"),
            externalIdentifier: try row.get("external_identifier"),
            state: State(rawValue: try row.get("state")) ?? .replaced,
            added: WallTime(milliseconds: try row.get("added_at")),
            released: released.map(WallTime.init(milliseconds:)))
    }

    /// A version of an app; `nil` when it isn't registered.
    static func find(_ version: String, of app: BundleIdentifier, _ db: StoreTransaction) throws -> AppVersion? {
        try db.row("SELECT \(columns) FROM app_version WHERE bundle_id = $1 AND version = $2", [app, version])
            .map(AppVersion.init)
    }

    /// The version that the page of an app sells; `nil` before the first
    /// release.
    static func released(of app: BundleIdentifier, _ db: StoreTransaction) throws -> AppVersion? {
        try db.row(
            "SELECT \(columns) FROM app_version WHERE bundle_id = $1 AND state = $2 LIMIT 1",
            [app, State.ready.rawValue]
        ).map(AppVersion.init)
    }

    /// The versions of an app before a number, the newest first.
    static func page(
        of app: BundleIdentifier, before number: Int64, limit: Int, _ db: StoreTransaction
    ) throws -> [AppVersion] {
        try db.rows(
            """
            SELECT \(columns) FROM app_version WHERE bundle_id = $1 AND version_number < $2
            ORDER BY version_number DESC LIMIT $3
            """, [app, number, limit]
        ).map(AppVersion.init)
    }

    /// Adds a version that isn't registered yet, under a drawn number.
    ///
    /// - Throws: ``DomainError``: `invalid` when the app has as many versions as
    ///   it may have, `busy` when another version has the number.
    static func add(
        _ version: String, to app: BundleIdentifier, numbered drawn: Int64, _ db: StoreTransaction
    ) throws -> AppVersion {
        let counted = try db.row(
            """
            SELECT COUNT(*) AS versions, COALESCE(MAX(version_number), 0) AS newest FROM app_version
            WHERE bundle_id = $1
            """, [app])
        let count: Int = try counted?.get("versions") ?? 0
        let newest: Int64 = try counted?.get("newest") ?? 0
        guard count < most else {
            throw DomainError(.invalid, "An app has at most \(most) versions: remove one that isn't released.")
        }
        guard try db.row("SELECT 1 FROM app_version WHERE external_identifier = $1", [drawn]) == nil else {
            throw DomainError(.busy, "Try again.")
        }
        try db.run(
            """
            INSERT INTO app_version (bundle_id, version, version_number, external_identifier, state, added_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, [app, version, newest + 1, drawn, State.prepared.rawValue, db.now.milliseconds])
        return AppVersion(
            version: version, number: newest + 1, externalIdentifier: drawn, state: .prepared, added: db.now)
    }

    /// Makes a version the one that is sold, in the place of the one before.
    /// One that isn't registered is added under a drawn number.
    static func release(
        _ version: String, of app: BundleIdentifier, numbered drawn: Int64, _ db: StoreTransaction
    ) throws {
        if try find(version, of: app, db) == nil { _ = try add(version, to: app, numbered: drawn, db) }
        try db.run(
            "UPDATE app_version SET state = $3 WHERE bundle_id = $1 AND state = $4 AND version <> $2",
            [app, version, State.replaced.rawValue, State.ready.rawValue])
        try db.run(
            """
            UPDATE app_version SET state = $3, released_at = COALESCE(released_at, $4)
            WHERE bundle_id = $1 AND version = $2
            """, [app, version, State.ready.rawValue, db.now.milliseconds])
    }

    /// Removes a version that wasn't released.
    static func remove(_ version: String, of app: BundleIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM app_version WHERE bundle_id = $1 AND version = $2 AND state = $3",
            [app, version, State.prepared.rawValue])
    }
}
