// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

extension AppUpload {
    private init(_ row: Row) throws {
        self.init(
            app: try row.get("bundle_id"), user: try row.get("user_id"),
            kind: Kind(rawValue: try row.get("kind")) ?? .configuration, name: try row.get("name"),
            contents: try row.get("contents"), withdraws: try row.get("withdraws"),
            uploaded: WallTime(milliseconds: try row.get("uploaded_at")), applied: try row.get("applied"))
    }

    /// The file of a user that waits, or that was imported; `nil` without one,
    /// and for one that has expired.
    static func find(
        _ kind: Kind, of app: BundleIdentifier, by user: TeamUserIdentifier, _ db: StoreTransaction
    ) throws -> AppUpload? {
        try db.row(
            """
            SELECT bundle_id, user_id, kind, name, contents, withdraws, uploaded_at, applied FROM app_upload
            WHERE bundle_id = $1 AND user_id = $2 AND kind = $3 AND uploaded_at > $4
            """, [app, user, kind.rawValue, (db.now - lifetime).milliseconds]
        ).map(AppUpload.init)
    }

    /// Whether as many other files of a team wait as may wait.
    func isOneTooMany(in team: TeamIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM app JOIN app_upload ON app_upload.bundle_id = app.bundle_id
            WHERE app.team_id = $1 AND app_upload.applied IS NULL AND app_upload.uploaded_at > $2
                AND NOT (app_upload.bundle_id = $3 AND app_upload.user_id = $4 AND app_upload.kind = $5)
            LIMIT 1 OFFSET $6
            """,
            [team, (db.now - Self.lifetime).milliseconds, app, user, kind.rawValue, Self.mostOfATeam - 1]) != nil
    }

    /// Saves the file in the place of the user's earlier one.
    func save(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO app_upload (bundle_id, user_id, kind, name, contents, withdraws, uploaded_at, applied)
            VALUES ($1, $2, $3, $4, $5, $6, $7, NULL)
            ON CONFLICT (bundle_id, user_id, kind) DO UPDATE SET
                name = excluded.name, contents = excluded.contents, withdraws = excluded.withdraws,
                uploaded_at = excluded.uploaded_at, applied = NULL
            """, [app, user, kind.rawValue, name, contents, withdraws, uploaded.milliseconds])
    }

    /// Notes that the changes were made. The contents aren't needed any more.
    func markApplied(_ version: String, _ db: StoreTransaction) throws {
        try db.run(
            "UPDATE app_upload SET applied = $4, contents = $5 WHERE bundle_id = $1 AND user_id = $2 AND kind = $3",
            [app, user, kind.rawValue, version, Data()])
    }

    /// Deletes the file of a user.
    static func delete(
        _ kind: Kind, of app: BundleIdentifier, by user: TeamUserIdentifier, _ db: StoreTransaction
    ) throws {
        try db.run(
            "DELETE FROM app_upload WHERE bundle_id = $1 AND user_id = $2 AND kind = $3", [app, user, kind.rawValue])
    }
}
