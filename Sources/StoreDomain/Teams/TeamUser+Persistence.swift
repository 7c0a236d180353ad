// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

extension TeamUser {
    private static let columns = """
        user_id, team_id, email, name, role, password_number, code_secret, pending_secret, created_at
        """

    private init(_ row: Row) throws {
        self.init(
            identifier: try row.get("user_id"), team: try row.get("team_id"), email: try row.get("email"),
            name: try row.get("name"), role: TeamRole(rawValue: try row.get("role")) ?? .support,
            passwordNumber: try row.get("password_number"),
            joined: WallTime(milliseconds: try row.get("created_at")))
        let (secret, pending): (String?, String?) = (try row.get("code_secret"), try row.get("pending_secret"))
        usesCodes = secret != nil
        pendingSecret = pending.flatMap { Data(hexadecimal: $0) }.map(OneTimePassword.init)
    }

    /// A user's secrets, which leave the use cases of the sign-in in no value.
    struct Secrets: Sendable {
        var password: PasswordHash
        var code: OneTimePassword?
        /// The last period whose code was used.
        var lastStep: Int64
    }

    static func find(_ identifier: TeamUserIdentifier, _ db: StoreTransaction) throws -> TeamUser? {
        try db.row("SELECT \(columns) FROM team_user WHERE user_id = $1", [identifier]).map(TeamUser.init)
    }

    static func find(email: String, _ db: StoreTransaction) throws -> TeamUser? {
        try db.row("SELECT \(columns) FROM team_user WHERE email = $1", [email]).map(TeamUser.init)
    }

    /// A user of a team.
    ///
    /// - Throws: ``DomainError`` `notFound`, also for a user of another team.
    static func known(
        _ identifier: TeamUserIdentifier, of team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> TeamUser {
        guard let user = try find(identifier, db), user.team == team else { throw unknown }
        return user
    }

    /// A signed-in user, or a key of Connect's API, as the user is now: the
    /// role may have changed since the page was opened.
    ///
    /// - Throws: ``DomainError`` `forbidden` when the user was removed, has
    ///   another password, or may not do this; when the key was revoked.
    static func acting(
        _ user: TeamUser, may action: TeamAction? = nil, _ db: StoreTransaction
    ) throws -> TeamUser {
        if let key = user.key { return try TeamKey.acting(key, of: user.team, may: action, db) }
        guard let present = try find(user.identifier, db), present.passwordNumber == user.passwordNumber else {
            throw signedOut
        }
        if let action { try present.require(action) }
        return present
    }

    static func secrets(of user: TeamUserIdentifier, _ db: StoreTransaction) throws -> Secrets? {
        try db.row(
            "SELECT password_hash, code_secret, code_step FROM team_user WHERE user_id = $1", [user]
        ).map { row in
            let secret: String? = try row.get("code_secret")
            return Secrets(
                password: PasswordHash(text: try row.get("password_hash")),
                code: secret.flatMap { Data(hexadecimal: $0) }.map(OneTimePassword.init),
                lastStep: try row.get("code_step"))
        }
    }

    /// The users of a team, of which it has at most `Team.users`.
    static func all(of team: TeamIdentifier, _ db: StoreTransaction) throws -> [TeamUser] {
        try db.rows(
            "SELECT \(columns) FROM team_user WHERE team_id = $1 ORDER BY email LIMIT $2", [team, Team.users]
        ).map(TeamUser.init)
    }

    static func count(of team: TeamIdentifier, _ db: StoreTransaction) throws -> Int {
        try db.row("SELECT count(*) AS n FROM team_user WHERE team_id = $1", [team])?.get("n") ?? 0
    }

    static func holders(of team: TeamIdentifier, _ db: StoreTransaction) throws -> Int {
        try db.row(
            "SELECT count(*) AS n FROM team_user WHERE team_id = $1 AND role = $2",
            [team, TeamRole.accountHolder.rawValue])?.get("n") ?? 0
    }

    /// Saves a new user.
    ///
    /// - Throws: `DatabaseError` with the constraint `team_user_email` when
    ///   another user has the e-mail address.
    func insert(passwordHash: PasswordHash, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO team_user (user_id, team_id, email, name, role, password_hash, password_number, code_step,
                created_at)
            VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $7)
            """, [identifier, team, email, name, role.rawValue, passwordHash.text, joined.milliseconds])
    }

    /// Saves the name and the role.
    func update(_ db: StoreTransaction) throws {
        try db.run(
            "UPDATE team_user SET name = $2, role = $3 WHERE user_id = $1", [identifier, name, role.rawValue])
    }

    /// Saves another password, ends all sessions of the user, and removes a
    /// secret that waits for its first code: one of these sessions has drawn
    /// it.
    func setPassword(_ hash: PasswordHash, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE team_user SET password_hash = $2, password_number = password_number + 1, pending_secret = NULL
            WHERE user_id = $1
            """, [identifier, hash.text])
        try TeamSession.endAll(of: identifier, db)
        try TeamBrowser.forgetAll(of: identifier, db)
    }

    /// Saves a secret that waits for its first code; `nil` removes it.
    func setPending(_ secret: OneTimePassword?, _ db: StoreTransaction) throws {
        try db.run(
            "UPDATE team_user SET pending_secret = $2 WHERE user_id = $1", [identifier, secret?.secret.hexadecimal])
    }

    /// Saves the secret of the sign-in, after the code of a period was used;
    /// `nil` removes it with the recovery codes.
    func setCodes(_ secret: OneTimePassword?, step: Int64, _ db: StoreTransaction) throws {
        try db.run(
            "UPDATE team_user SET code_secret = $2, code_step = $3, pending_secret = NULL WHERE user_id = $1",
            [identifier, secret?.secret.hexadecimal, step])
        if secret == nil { try RecoveryCode.deleteAll(of: identifier, db) }
    }

    /// Uses the code of a period; `false` when it, or a later one, was used
    /// meanwhile.
    func use(step: Int64, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            "UPDATE team_user SET code_step = $2 WHERE user_id = $1 AND code_step < $2", [identifier, step]) == 1
    }

    /// Deletes the user with the sessions, the known browsers, the recovery codes and the links.
    func delete(_ db: StoreTransaction) throws {
        try TeamSession.endAll(of: identifier, db)
        try TeamBrowser.forgetAll(of: identifier, db)
        try RecoveryCode.deleteAll(of: identifier, db)
        try TeamLink.deleteAll(of: team, email: email, db)
        try db.run("DELETE FROM team_user WHERE user_id = $1", [identifier])
    }
}
