// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension TeamInvitation {
    private static let columns = "team_id, email, role, inviter, created_at, expires_at"

    private init(_ row: Row) throws {
        self.init(
            team: try row.get("team_id"), email: try row.get("email"),
            role: TeamRole(rawValue: try row.get("role")) ?? .support, inviter: try row.get("inviter"),
            created: WallTime(milliseconds: try row.get("created_at")),
            expires: WallTime(milliseconds: try row.get("expires_at")))
    }

    /// The open invitation of an address.
    static func find(_ email: String, to team: TeamIdentifier, _ db: StoreTransaction) throws -> TeamInvitation? {
        try db.row(
            "SELECT \(columns) FROM team_invitation WHERE team_id = $1 AND email = $2 AND expires_at > $3",
            [team, email, db.now.milliseconds]
        ).map(TeamInvitation.init)
    }

    /// The open invitations of a team, in the order of their addresses.
    static func all(of team: TeamIdentifier, _ db: StoreTransaction) throws -> [TeamInvitation] {
        try db.rows(
            """
            SELECT \(columns) FROM team_invitation WHERE team_id = $1 AND expires_at > $2 ORDER BY email LIMIT $3
            """, [team, db.now.milliseconds, Team.invitations]
        ).map(TeamInvitation.init)
    }

    /// Saves the invitation in the place of an earlier one of the address.
    func save(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO team_invitation (team_id, email, role, inviter, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (team_id, email) DO UPDATE SET role = excluded.role, inviter = excluded.inviter,
                created_at = excluded.created_at, expires_at = excluded.expires_at
            """,
            [team, email, role.rawValue, inviter, created.milliseconds, expires.milliseconds])
    }

    /// Deletes the invitation with its links.
    func delete(_ db: StoreTransaction) throws {
        try TeamLink.deleteAll(of: team, email: email, db)
        try db.run("DELETE FROM team_invitation WHERE team_id = $1 AND email = $2", [team, email])
    }
}
