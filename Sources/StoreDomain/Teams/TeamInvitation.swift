// SPDX-License-Identifier: Apache-2.0

/// A person whom a team has invited, and who hasn't chosen a password yet.
package struct TeamInvitation: Hashable, Sendable {
    package var team: TeamIdentifier
    package var email: String
    package var role: TeamRole
    /// The e-mail address of the user who has invited.
    package var inviter: String
    package var created: WallTime
    package var expires: WallTime
}
