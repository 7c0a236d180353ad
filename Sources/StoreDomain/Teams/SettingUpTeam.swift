// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Makes the first account holder of a team without users, by a one-time
/// address that the operator gets.
package struct SettingUpTeam: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The path of a new one-time address; `nil` for a team that has a user.
    ///
    /// Each call makes another address. The last ones can be used, so that
    /// each process of a store can print its own.
    package func path(for team: TeamIdentifier = Team.ofTheStore) async throws -> String? {
        let token = random.hexadecimal(bytes: 32)
        let isMade = try await write(.team(team)) { db in
            guard try TeamUser.count(of: team, db) == 0 else { return false }
            try TeamLink.deleteSetUps(of: team, except: TeamLink.setUps - 1, db)
            try TeamLink(kind: .setUp, team: team, email: nil, expires: db.now + TeamLink.lifetime(.setUp))
                .insert(token: token, db)
            return true
        }
        return isMade ? TeamLink.path(.setUp, token) : nil
    }

    /// The path of a one-time address at which a new team is set up.
    package func pathForAnotherTeam() async throws -> String {
        guard let path = try await path(for: TeamIdentifier(random.hexadecimal(bytes: 8))) else {
            throw DomainError(.exists, "There is a team with this identifier already: try again.")
        }
        return path
    }

    /// The team of an address that can be used.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func check(_ token: String) async throws -> TeamIdentifier {
        let team = try await read { db in try Self.team(token, db) }
        guard let team else { throw TeamLink.unknown }
        return team
    }

    private static func team(_ token: String, _ db: StoreTransaction) throws -> TeamIdentifier? {
        guard let link = try TeamLink.find(.setUp, token, db), try TeamUser.count(of: link.team, db) == 0 else {
            return nil
        }
        return link.team
    }

    /// Makes the team, if it doesn't exist, and its first user.
    ///
    /// - Throws: ``DomainError`` `notFound` for an address that can't be used,
    ///   `busy`; ``InvalidFields``.
    package func callAsFunction(
        _ token: String, teamName: String, user typed: NewUser, from origin: String?
    ) async throws -> TeamUser {
        let identifier = try await check(token)
        var checks = FieldChecks()
        let name = checks.text(teamName, field: "team", longest: Team.longestName)
        let email = checks.email(typed.email, field: "email")
        let person = typed.check(&checks)
        try checks.finish()
        let hash = try await PasswordHash(
            typed.password, salt: random.bytes(16), by: context.hashing, from: origin ?? email)
        let user = TeamUser(
            identifier: TeamUserIdentifier(random.hexadecimal(bytes: 16)), team: identifier, email: email,
            name: person, role: .accountHolder, joined: now)
        return try await write(.team(identifier)) { db in
            // The user exists when the closure runs again after a lost commit.
            if let made = try TeamUser.find(user.identifier, db) { return made }
            guard try Self.team(token, db) == identifier else { throw TeamLink.unknown }
            try TeamUser.requireFree(email, db)
            try Team(identifier: identifier, name: name).insert(db)
            try user.insert(passwordHash: hash, db)
            try TeamLink.deleteSetUps(of: identifier, except: 0, db)
            try TeamChange.append(.teamSetUp, of: name, to: email, by: email, in: identifier, db)
            return user
        }
    }
}

/// The values that a new user types.
package struct NewUser: Sendable {
    package var email: String
    package var name: String
    package var password: String

    package init(email: String = "", name: String, password: String) {
        self.email = email
        self.name = name
        self.password = password
    }

    /// The checked name.
    func check(_ checks: inout FieldChecks) -> String {
        TeamUser.check(password: password, field: "newPassword", &checks)
        return checks.text(name, field: "name", longest: TeamUser.longestName)
    }
}

extension TeamUser {
    /// Checks that no user has an e-mail address.
    ///
    /// - Throws: ``InvalidFields``.
    static func requireFree(_ email: String, _ db: StoreTransaction) throws {
        guard try find(email: email, db) == nil else {
            throw InvalidFields(problems: [FieldProblem(field: "email", kind: .taken)])
        }
    }
}
