// SPDX-License-Identifier: Apache-2.0

/// The time in which a browser is known to be a user's of Connect.
package struct TeamSession: Hashable, Sendable {
    /// 8 random bytes in hexadecimal, by which the user ends the session.
    package var identifier: String
    package var user: TeamUserIdentifier
    /// The name that the browser gives itself.
    package var browser: String
    package var opened: WallTime
    /// The last page, exact to `BrowserSession.precision`.
    package var seen: WallTime
    package var expires: WallTime

    /// The time for which a browser is known.
    package static let lifetime: Duration = .seconds(24 * 60 * 60)

    /// Whether the last use has to be recorded.
    func isUseDue(now: WallTime) -> Bool { BrowserSession.isUseDue(seen: seen, now: now) }
}

/// A browser's session with its user and team.
package struct SignedInUser: Sendable {
    package var session: TeamSession
    package var user: TeamUser
    package var team: Team
}
