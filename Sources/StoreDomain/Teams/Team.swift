// SPDX-License-Identifier: Apache-2.0

/// A seller in Connect: the users who register apps and products, and the apps
/// that they have registered.
package struct Team: Hashable, Sendable {
    package var identifier: TeamIdentifier
    package var name: String

    package init(identifier: TeamIdentifier, name: String) {
        self.identifier = identifier
        self.name = name
    }

    /// The team of the operator. It has every app that isn't registered by
    /// another team, such as those of imported files, and it exists before it
    /// has a user.
    package static let ofTheStore: TeamIdentifier = "store"

    /// The largest number of characters of a team's name.
    package static let longestName = 100
    /// The most users of a team.
    package static let users = 200
    /// The most open invitations of a team.
    package static let invitations = 50
}
