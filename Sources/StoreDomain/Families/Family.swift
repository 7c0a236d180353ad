// SPDX-License-Identifier: Apache-2.0

/// Accounts that share one storefront and the clock of their organiser.
///
/// The rules of a family are here: who may be in it, and who may approve the
/// requests of a child. ``ChangingFamily`` loads a family and saves changes.
package struct Family: Hashable, Sendable {
    /// The largest number of members, with the organiser.
    package static let size = 6

    package var identifier: FamilyIdentifier
    /// The organiser first, then the others in the order in which they joined.
    package var members: [FamilyMember]

    package init(identifier: FamilyIdentifier, members: [FamilyMember]) {
        self.identifier = identifier
        self.members = members
    }

    /// The member whose clock and storefront the family has; `nil` never for a
    /// family that was loaded as a whole.
    package var organiser: FamilyMember? { members.first { $0.role == .organiser } }

    /// The member with an account; `nil` for an account of another family.
    package func member(_ account: AccountIdentifier) -> FamilyMember? {
        members.first { $0.account == account }
    }

    /// Whether one account may approve or decline the requests of another: a
    /// parent of the same family, and never the one who asks.
    package func mayDecide(_ parent: AccountIdentifier, about child: AccountIdentifier) -> Bool {
        parent != child && member(child) != nil && member(parent)?.role.isParent == true
    }

    /// The accounts whose requests an account may approve or decline.
    package func wards(of parent: AccountIdentifier) -> [FamilyMember] {
        members.filter { mayDecide(parent, about: $0.account) }
    }

    /// Refuses another member.
    ///
    /// - Throws: ``DomainError`` `invalid` for the role of the organiser, for
    ///   an account of another storefront, and when the family has
    ///   ``size`` members.
    func requireRoom(for account: Account, as role: FamilyMember.Role, organiser: Account) throws {
        try Self.requireOther(role)
        guard account.storefront == organiser.storefront else {
            throw DomainError(
                .invalid,
                """
                A family has one storefront: \(account.email) is in \(account.storefront.countryCode), and the \
                organiser in \(organiser.storefront.countryCode). Nothing was changed.
                """)
        }
        guard members.count < Self.size else {
            throw DomainError(.invalid, "A family has at most \(Self.size) members. Nothing was changed.")
        }
    }

    /// Refuses the role of the organiser for a member who joins or changes.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    static func requireOther(_ role: FamilyMember.Role) throws {
        guard role != .organiser else {
            throw DomainError(.invalid, "A family has one organiser, who began it. Nothing was changed.")
        }
    }
}

/// An account in a family.
package struct FamilyMember: Hashable, Sendable {
    /// The rights of a member in a family.
    package struct Role: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Has begun the family, whose clock is this member's.
        package static let organiser = Role(rawValue: "organiser")
        /// A parent or guardian: approves the requests of the others.
        package static let parent = Role(rawValue: "parent")
        /// An adult who approves nothing.
        package static let adult = Role(rawValue: "adult")
        /// Asks to buy, unless that was switched off for the account.
        package static let child = Role(rawValue: "child")

        /// All roles.
        package static let all: [Role] = [.organiser, .parent, .adult, .child]

        /// Whether a member with this role approves the requests of others.
        package var isParent: Bool { self == .organiser || self == .parent }

        /// The role of a name.
        ///
        /// - Throws: ``DomainError`` `invalid` for another name.
        package static func named(_ name: String) throws -> Role {
            let role = Role(rawValue: name)
            guard all.contains(role) else {
                throw DomainError(
                    .invalid, "The roles of a family are \(all.map(\.rawValue).joined(separator: ", ")).")
            }
            return role
        }
    }

    package var account: AccountIdentifier
    /// The e-mail address of the account.
    package var email: String
    package var role: Role
    /// Whether the account has to ask before it buys.
    package var asksToBuy: Bool
    package var joined: WallTime

    /// Makes the member of an account that joins.
    init(_ account: Account, as role: Role, at now: WallTime) {
        self.init(account: account.identifier, email: account.email, role: role, asksToBuy: role == .child, joined: now)
    }

    init(account: AccountIdentifier, email: String, role: Role, asksToBuy: Bool, joined: WallTime) {
        self.account = account
        self.email = email
        self.role = role
        self.asksToBuy = asksToBuy
        self.joined = joined
    }
}
