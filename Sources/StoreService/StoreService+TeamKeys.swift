// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The keys of teams.
extension StoreService {
    /// The use cases of keys.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func managingTeamKeys() throws -> ManagingTeamKeys {
        try requireCurrentSchema()
        return ManagingTeamKeys(context)
    }

    /// The key in the place of a user, and its team, of a request's token.
    /// `request` is the method and the path.
    ///
    /// - Throws: `JSONWebToken.Refusal`, `DatabaseError`.
    package func authenticateConnect(
        authorization: String?, for request: String
    ) async throws -> (user: TeamUser, team: Team) {
        try await AuthenticatingTeamKey(context)(ConnectToken(authorization: authorization), for: request)
    }
}
