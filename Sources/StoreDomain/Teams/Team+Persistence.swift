// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension WriteScope {
    /// The rows of a team, its users, invitations and links, which all writes
    /// of them have as their scope: they run one at a time.
    static func team(_ team: TeamIdentifier) -> WriteScope { .key("team \(team)") }
}

extension Team {
    static func find(_ identifier: TeamIdentifier, _ db: StoreTransaction) throws -> Team? {
        try db.row("SELECT team_id, name FROM team WHERE team_id = $1", [identifier])
            .map { Team(identifier: try $0.get("team_id"), name: try $0.get("name")) }
    }

    /// The teams with the identifiers that follow one, in their order.
    static func page(after team: TeamIdentifier, limit: Int, _ db: StoreTransaction) throws -> [Team] {
        try db.rows("SELECT team_id, name FROM team WHERE team_id > $1 ORDER BY team_id LIMIT $2", [team, limit])
            .map { Team(identifier: try $0.get("team_id"), name: try $0.get("name")) }
    }

    /// Saves the team; changes nothing when it is saved already.
    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO team (team_id, name, change_number, created_at) VALUES ($1, $2, 0, $3)
            ON CONFLICT (team_id) DO NOTHING
            """, [identifier, name, db.now.milliseconds])
    }
}
