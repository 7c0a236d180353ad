// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The app that a request of a seller's server is about, and the team of its
/// key.
package struct ServerCaller: Hashable, Sendable {
    package var app: BundleIdentifier
    /// The operator's team for a key of the store.
    package var team: TeamIdentifier
}

/// Authenticates a request of a seller's server to the App Store Server API.
package struct AuthenticatingServer: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Verifies a token, and returns the app that it gives access to, with the
    /// team whose key has signed it. The key of an app's file signs offers of
    /// its app only: a user who may import a file may not make keys.
    ///
    /// - Throws: ``ServerToken/Refusal``, `DatabaseError`.
    package func callAsFunction(_ token: ServerToken) async throws -> ServerCaller {
        let bundleIdentifier = token.bundleIdentifier
        // No app has such a name, which no database accepts.
        guard !bundleIdentifier.rawValue.isEmpty, !bundleIdentifier.rawValue.utf8.contains(0) else {
            throw ServerToken.Refusal(reason: "names no app")
        }
        let (keys, issuer) = try await read { db in
            (
                try InAppPurchaseKey.named(token.keyIdentifier, forServersOf: bundleIdentifier, db),
                try InAppPurchaseKey.issuer(db)
            )
        }
        try token.check(by: keys, issuer: issuer, in: environment, at: now)
        guard token.claims.iss != issuer else { return ServerCaller(app: bundleIdentifier, team: Team.ofTheStore) }
        // A key with another issuer is valid for the apps of its team only.
        guard let team = try await read({ db in try AppRegistration.team(of: bundleIdentifier, db) }) else {
            throw ServerToken.Refusal(reason: "names no app")
        }
        return ServerCaller(app: bundleIdentifier, team: team)
    }
}
