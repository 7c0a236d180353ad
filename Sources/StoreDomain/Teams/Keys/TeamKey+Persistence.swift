// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension TeamKey {
    private static let columns = """
        key_id, team_id, name, purpose, role, public_key, creator, created_at, revoked_at
        """

    private init(_ row: Row) throws {
        let (role, revoked): (String?, Int64?) = (try row.get("role"), try row.get("revoked_at"))
        self.init(
            identifier: try row.get("key_id"), team: try row.get("team_id"), name: try row.get("name"),
            purpose: Purpose(rawValue: try row.get("purpose")) ?? .connect,
            role: role.flatMap(TeamRole.init(rawValue:)),
            publicKey: try row.get("public_key"), creator: try row.get("creator"),
            created: WallTime(milliseconds: try row.get("created_at")),
            revoked: revoked.map(WallTime.init(milliseconds:)))
    }

    static func find(_ identifier: String, _ db: StoreTransaction) throws -> TeamKey? {
        try db.row("SELECT \(columns) FROM team_key WHERE key_id = $1", [identifier]).map(TeamKey.init)
    }

    /// A key of a team.
    ///
    /// - Throws: ``DomainError`` `notFound`, also for a key of another team.
    static func known(_ identifier: String, of team: TeamIdentifier, _ db: StoreTransaction) throws -> TeamKey {
        guard let key = try find(identifier, db), key.team == team else {
            throw DomainError(.notFound, "The team has no such key.")
        }
        return key
    }

    /// The keys of a team, in the order in which they were made.
    static func all(of team: TeamIdentifier, _ db: StoreTransaction) throws -> [TeamKey] {
        try db.rows(
            "SELECT \(columns) FROM team_key WHERE team_id = $1 ORDER BY created_at, key_id LIMIT $2",
            [team, limit + revokedLimit]
        ).map(TeamKey.init)
    }

    /// A key of Connect's API in the place of a user, as it is now.
    ///
    /// - Throws: ``DomainError`` `forbidden` when it was revoked, or may not do
    ///   this.
    static func acting(
        _ identifier: String, of team: TeamIdentifier, may action: TeamAction?, _ db: StoreTransaction
    ) throws -> TeamUser {
        guard let key = try find(identifier, db), key.team == team, key.revoked == nil, let user = key.actor else {
            throw revokedKey
        }
        if let action { try user.require(action) }
        return user
    }

    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO team_key (key_id, team_id, name, purpose, role, public_key, creator, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                identifier, team, name, purpose.rawValue, role?.rawValue, publicKey, creator, created.milliseconds,
            ])
    }

    func revoke(_ db: StoreTransaction) throws {
        try db.run("UPDATE team_key SET revoked_at = $2 WHERE key_id = $1", [identifier, db.now.milliseconds])
    }

    func delete(_ db: StoreTransaction) throws {
        try db.run("DELETE FROM team_key WHERE key_id = $1", [identifier])
    }
}

extension Team {
    /// The UUID that the tokens of a team's keys name as their issuer; `nil`
    /// for a team that has made no key.
    static func issuer(of team: TeamIdentifier, _ db: StoreTransaction) throws -> String? {
        try db.row("SELECT issuer_id FROM team WHERE team_id = $1", [team])?.get("issuer_id")
    }

    /// The team's issuer, which is saved if there is none.
    static func issuer(
        of team: TeamIdentifier, orElse drawn: String, _ db: StoreTransaction
    ) throws -> String {
        if let issuer = try issuer(of: team, db) { return issuer }
        try db.run("UPDATE team SET issuer_id = $2 WHERE team_id = $1", [team, drawn])
        return drawn
    }
}

extension InAppPurchaseKey {
    /// The keys of an app's team that are, or were, valid for all of the
    /// team's apps: all of them, or the one with an identifier.
    static func ofTeam(
        of bundleIdentifier: BundleIdentifier, named identifier: String? = nil, _ db: StoreTransaction
    ) throws -> [InAppPurchaseKey] {
        try db.rows(
            """
            SELECT team_key.key_id, team_key.name, team_key.public_key, team_key.created_at, team_key.revoked_at,
                team.issuer_id
            FROM app JOIN team ON team.team_id = app.team_id JOIN team_key ON team_key.team_id = app.team_id
            WHERE app.bundle_id = $1 AND team_key.purpose = $2 \(identifier == nil ? "" : "AND team_key.key_id = $4")
            ORDER BY team_key.created_at, team_key.key_id LIMIT $3
            """,
            [bundleIdentifier, TeamKey.Purpose.inAppPurchase.rawValue, TeamKey.limit + TeamKey.revokedLimit]
                + (identifier.map { [$0] } ?? [])
        ).map { row in
            let revoked: Int64? = try row.get("revoked_at")
            return InAppPurchaseKey(
                identifier: try row.get("key_id"), name: try row.get("name"), publicKey: try row.get("public_key"),
                created: WallTime(milliseconds: try row.get("created_at")),
                revoked: revoked.map(WallTime.init(milliseconds:)), issuer: try row.get("issuer_id"))
        }
    }
}
