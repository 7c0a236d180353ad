// SPDX-License-Identifier: Apache-2.0

/// The messages about families.
extension Control {
    /// Names a family by an account in it. Beginning and ending one takes its
    /// organiser's.
    package struct FamilyCall: Codable, Sendable {
        package var email: String

        package init(email: String) {
            self.email = email
        }
    }

    /// Adds an account to the family of an organiser, or gives it another role.
    package struct FamilyMemberCall: Codable, Sendable {
        package var email: String
        /// `parent`, `adult` or `child`.
        package var role: String
        /// The e-mail address of the organiser; absent to change a role.
        package var organiser: String?

        package init(email: String, role: String, organiser: String? = nil) {
            self.email = email
            self.role = role
            self.organiser = organiser
        }
    }

    /// The members of a family, the organiser first.
    package struct FamilyAnswer: Codable, Sendable {
        package var members: [FamilyMemberAnswer]
    }

    package struct FamilyMemberAnswer: Codable, Sendable {
        package var email: String
        /// `organiser`, `parent`, `adult` or `child`.
        package var role: String
        package var asksToBuy: Bool
        /// When it joined, in milliseconds since 1970.
        package var joined: Int64
    }
}
