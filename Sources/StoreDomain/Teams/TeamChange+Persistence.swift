// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension TeamChange {
    private init(_ row: Row) throws {
        self.init(
            number: try row.get("change_number"), at: WallTime(milliseconds: try row.get("at")),
            user: try row.get("user_email"), kind: Kind(rawValue: try row.get("kind")),
            subject: try row.get("subject"), before: try row.get("before_value"), after: try row.get("after_value"))
    }

    /// Appends a change to the log of a team, in the transaction of the
    /// change. The row of the team is locked until the transaction ends, so
    /// that the numbers have the order of the commits.
    static func append(
        _ kind: Kind, of subject: String, from before: String = "", to after: String = "", by user: String,
        in team: TeamIdentifier, _ db: StoreTransaction
    ) throws {
        let counted = try db.row(
            "UPDATE team SET change_number = change_number + 1 WHERE team_id = $1 RETURNING change_number", [team])
        // The apps of the operator's team can change before the team is set up.
        guard let number: Int64 = try counted?.get("change_number") else { return }
        try db.run(
            """
            INSERT INTO team_change (team_id, change_number, at, user_email, kind, subject, before_value, after_value)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                team, number, db.now.milliseconds, user, kind.rawValue, String(subject.prefix(longest)),
                String(before.prefix(longest)), String(after.prefix(longest)),
            ])
    }

    /// The changes of a team before a number, the newest first.
    static func page(
        of team: TeamIdentifier, before number: Int64, limit: Int, _ db: StoreTransaction
    ) throws -> [TeamChange] {
        try db.rows(
            """
            SELECT change_number, at, user_email, kind, subject, before_value, after_value FROM team_change
            WHERE team_id = $1 AND change_number < $2 ORDER BY change_number DESC LIMIT $3
            """, [team, number, limit]
        ).map(TeamChange.init)
    }
}
