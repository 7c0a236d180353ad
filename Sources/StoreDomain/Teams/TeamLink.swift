// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The right to choose a password once, which a one-time address gives. Only
/// the hash of its token is stored.
struct TeamLink: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        /// Become the first account holder of a team without users.
        case setUp = "set-up"
        /// Accept an invitation.
        case invitation
        /// Choose a new password, by an address that an admin or the operator
        /// has made. It also ends the use of the authenticator app.
        case recovery
        /// Choose a new password, by an address that was sent by mail. The
        /// authenticator app stays: a mailbox alone isn't enough to sign in.
        case password
    }

    var kind: Kind
    var team: TeamIdentifier
    /// The address of the invitation, or of the user; `nil` for a set-up.
    var email: String?
    var expires: WallTime
    /// The user, or the key, that has made a recovery; empty for the operator, and for one that was sent by mail.
    var maker = ""

    /// The days for which an address can be used. One of a set-up can be used
    /// while the team has no user, and a start of the store prints a new one.
    static func lifetime(_ kind: Kind) -> Duration {
        let hours =
            switch kind {
            case .setUp: 30 * 24
            case .invitation: 7 * 24
            case .recovery, .password: 24
            }
        return .seconds(hours * 60 * 60)
    }

    /// The most addresses of a team's set-up that can be used at a time: one
    /// for each of its last starts.
    static let setUps = 10

    static let unknown = DomainError(
        .notFound, "This address was used already, or its time is over. Ask for another one.", reason: .teamLink)

    /// The path of a link's page.
    static func path(_ kind: Kind, _ token: String) -> String {
        switch kind {
        case .setUp: "/connect/setup/\(token)"
        case .invitation: "/connect/invitation/\(token)"
        case .recovery, .password: "/connect/recovery/\(token)"
        }
    }
}
