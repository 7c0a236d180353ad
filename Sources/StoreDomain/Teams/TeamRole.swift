// SPDX-License-Identifier: Apache-2.0

/// The role of a user in a team. ``TeamAction`` has the table of the actions of
/// each role.
package enum TeamRole: String, CaseIterable, Hashable, Sendable {
    case accountHolder = "account-holder"
    case admin
    case developer
    case marketing
    case finance
    case support

    /// Whether the role includes an action.
    package func may(_ action: TeamAction) -> Bool { action.roles.contains(self) }

    /// The action that giving or taking away this role needs.
    package var assignment: TeamAction { self == .accountHolder ? .appointHolders : .manageUsers }
}
