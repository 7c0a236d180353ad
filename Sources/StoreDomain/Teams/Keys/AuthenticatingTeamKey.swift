// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Authenticates a request to Connect's API.
package struct AuthenticatingTeamKey: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Verifies a token, and returns its key in the place of a user, with the
    /// team. `request` is the method and the path, such as
    /// `GET /connect/v1/apps`.
    ///
    /// - Throws: ``JSONWebToken/Refusal``, `DatabaseError`.
    package func callAsFunction(_ token: ConnectToken, for request: String) async throws -> (user: TeamUser, team: Team)
    {
        let identifier = token.keyIdentifier
        // No key has another form of identifier, which a database may refuse.
        let isKnownForm = identifier.utf8.count <= 64 && !identifier.utf8.contains(0)
        let (key, team, issuer) = try await read { db in
            let key = isKnownForm ? try TeamKey.find(identifier, db) : nil
            let team = try key.flatMap { try Team.find($0.team, db) }
            return (key, team, try team.flatMap { try Team.issuer(of: $0.identifier, db) })
        }
        let user = try token.check(by: key, issuer: issuer, for: request, at: now)
        guard let team else { throw JSONWebToken.Refusal(reason: "is of a team that Connect doesn't have") }
        return (user, team)
    }
}
