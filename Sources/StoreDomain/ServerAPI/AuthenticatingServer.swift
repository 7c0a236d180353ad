// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Authenticates a request of a seller's server to the App Store Server API.
package struct AuthenticatingServer: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Verifies a token, and returns the app that it gives access to.
    ///
    /// - Throws: ``ServerToken/Refusal``, `DatabaseError`.
    package func callAsFunction(_ token: ServerToken) async throws -> BundleIdentifier {
        let bundleIdentifier = token.bundleIdentifier
        // No app has such a name, which no database accepts.
        guard !bundleIdentifier.rawValue.isEmpty, !bundleIdentifier.rawValue.utf8.contains(0) else {
            throw ServerToken.Refusal(reason: "names no app")
        }
        let (keys, issuer) = try await read { db in
            (try InAppPurchaseKey.all(of: bundleIdentifier, db), try InAppPurchaseKey.issuer(db))
        }
        try token.check(by: keys, issuer: issuer, in: environment, at: now)
        return bundleIdentifier
    }
}
