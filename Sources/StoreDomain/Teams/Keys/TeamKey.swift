// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation

/// A key of a team. The store has its public part, and the team's program the
/// private one.
package struct TeamKey: Hashable, Sendable {
    package enum Purpose: String, CaseIterable, Hashable, Sendable {
        /// Sign offers, and requests to the App Store Server API, for all apps
        /// of the team.
        case inAppPurchase = "in-app-purchase"
        /// Sign requests to Connect's API, with the rights of a role.
        case connect
    }

    /// Ten capital letters and digits, unique in the store.
    package var identifier: String
    package var team: TeamIdentifier
    package var name: String
    package var purpose: Purpose
    /// The role of a key for Connect's API; `nil` for every other one.
    package var role: TeamRole?
    /// The public key as X9.63 writes it, uncompressed: 65 bytes.
    package var publicKey: Data
    /// The e-mail address of the user who has made it.
    package var creator: String
    package var created: WallTime
    /// When it was revoked; `nil` while it is valid.
    package var revoked: WallTime?

    /// The largest number of characters of a name.
    package static let longestName = 100
    /// The most valid keys of a team.
    package static let limit = 50
    /// The most revoked keys of a team. The oldest ones are deleted.
    static let revokedLimit = 50

    /// The key that verifies signatures; `nil` for bytes that are none.
    var verifying: P256.Signing.PublicKey? { try? P256.Signing.PublicKey(x963Representation: publicKey) }

    /// The name of the key's user in the log, and on pages.
    static func userName(_ identifier: String) -> String { "API key \(identifier)" }

    /// The key in the place of a user, with the rights of its role; `nil` for a
    /// key of another purpose.
    var actor: TeamUser? {
        guard purpose == .connect, let role else { return nil }
        var user = TeamUser(
            identifier: TeamUserIdentifier("key \(identifier)"), team: team, email: Self.userName(identifier),
            name: name, role: role, joined: created)
        user.key = identifier
        return user
    }

    static let revokedKey = DomainError(.forbidden, "The key was revoked: make another one on the page Keys.")
}
