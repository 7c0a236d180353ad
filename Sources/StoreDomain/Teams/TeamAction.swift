// SPDX-License-Identifier: Apache-2.0

/// An action in Connect that not every role includes.
///
/// ``roles`` is the only table of the rights of roles. Use cases check it in
/// the transaction of their changes, pages show their buttons by it, and the
/// page of the roles lists it.
package enum TeamAction: String, CaseIterable, Hashable, Sendable {
    /// See the team's users and open invitations.
    case seeUsers = "see-users"
    /// Invite and remove users, and change their roles, except for account
    /// holders.
    case manageUsers = "manage-users"
    /// Invite and remove account holders, and give and take away their role.
    case appointHolders = "appoint-holders"
    /// Read the log of the team's changes.
    case readLog = "read-log"
    /// Make, see and revoke the team's keys.
    case manageKeys = "manage-keys"
    /// See the team's apps and products.
    case seeApps = "see-apps"
    /// Register apps, and change them.
    case registerApps = "register-apps"
    /// See and set the addresses and shared secrets of an app's servers.
    case manageServers = "manage-servers"
    /// Register products, change and submit them.
    case editProducts = "edit-products"
    /// Promote products, and set their images and the apps' icons.
    case promoteProducts = "promote-products"
    /// See the contract with the operator, and the masked bank and tax forms.
    case seeAgreements = "see-agreements"
    /// Accept the contract with the operator.
    case acceptAgreements = "accept-agreements"
    /// Change the bank account and the tax form.
    case editPayee = "edit-payee"
    /// Add and remove offers, make and revoke codes.
    case manageOffers = "manage-offers"
    /// See the purchases of the team's apps.
    case seeTransactions = "see-transactions"
    /// See the contacts that customers have shared with the team.
    case seeContacts = "see-contacts"
    /// Refund purchases of the team's apps.
    case refundPurchases = "refund-purchases"
    /// Send notifications to the seller's servers again.
    case resendNotifications = "resend-notifications"
    /// See the team's sandbox testers, and the live page of the sandbox.
    case seeTesters = "see-testers"
    /// Add sandbox testers, change them, their clocks and their families.
    case manageTesters = "manage-testers"
    /// Review the products that all teams have submitted: an action of the
    /// operator's team.
    case reviewProducts = "review-products"

    /// Whether only users of the operator's team have the action, of the
    /// ``roles`` that include it.
    package var isOfTheOperator: Bool { self == .reviewProducts }

    /// The roles that include the action.
    package var roles: Set<TeamRole> {
        switch self {
        case .seeUsers, .seeApps: Set(TeamRole.allCases)
        case .manageUsers, .readLog, .manageKeys, .reviewProducts: [.accountHolder, .admin]
        case .registerApps, .editProducts, .manageServers: [.accountHolder, .admin, .developer]
        case .promoteProducts, .manageOffers: [.accountHolder, .admin, .developer, .marketing]
        case .appointHolders, .acceptAgreements: [.accountHolder]
        case .seeAgreements, .editPayee: [.accountHolder, .admin, .finance]
        case .seeTransactions: [.accountHolder, .admin, .developer, .finance, .support]
        case .seeContacts: [.accountHolder, .admin, .marketing]
        case .refundPurchases: [.accountHolder, .admin, .finance, .support]
        case .resendNotifications, .seeTesters: [.accountHolder, .admin, .developer, .support]
        case .manageTesters: [.accountHolder, .admin, .developer]
        }
    }
}
