// SPDX-License-Identifier: Apache-2.0

/// A message that waits to be sent.
///
/// A customer who has forgotten the password orders it for an address, whether
/// the address has an account or not: the page answers before the store looks
/// for the account.
struct MailOrder: Hashable, Sendable {
    struct Kind: RawRepresentable, Hashable, Sendable {
        var rawValue: String

        init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A link to the page of a new password.
        static let password = Kind(rawValue: "password")
        /// A link that confirms the new address of an account.
        static let address = Kind(rawValue: "address")
        /// The news, to the old address, that an account has another one.
        static let addressChanged = Kind(rawValue: "address-changed")
        /// The news, to a parent, that a child asks to buy.
        static let childAsks = Kind(rawValue: "child-asks")
        /// A link with which an invited person joins a team of Connect.
        static let teamInvitation = Kind(rawValue: "team-invitation")
        /// A link to the page of a new password of a user of Connect.
        static let teamRecovery = Kind(rawValue: "team-recovery")
    }

    /// 8 random bytes in hexadecimal; that of a child's request is made of the
    /// numbers of the request and of the parent.
    var identifier: String
    var kind: Kind
    var recipient: String
    /// The account that the message is about; `nil` for a forgotten password.
    var account: AccountIdentifier?
    /// The number of the password that was checked before a new address was
    /// typed: the order ends with the next password.
    var passwordNumber: Int64?
    /// The future purchase for which a child asks.
    var transaction: TransactionIdentifier?
    /// The team of an invitation.
    var team: TeamIdentifier?
    /// The language of a message to a user of Connect.
    var language: MailLanguage?
    /// The number of attempts that were begun.
    var tries: Int64 = 0
    /// When the next attempt begins.
    var due: WallTime

    /// The number of attempts after which a message is given up.
    static let limit: Int64 = 5
    /// The time after which an attempt counts as failed.
    static let pause: Duration = .seconds(120)
    /// The most messages that wait.
    static let mostWaiting = 5000
    /// The most messages of a team that wait.
    static let mostWaitingOfATeam = 100
}

/// The right to change an account once, which a link in a message gives.
struct OneTimeLink: Hashable, Sendable {
    var kind: MailOrder.Kind
    var account: AccountIdentifier
    /// The address to which the link was sent.
    var email: String
    /// The number of the password when the link was made. A change of the
    /// password makes the link useless.
    var passwordNumber: Int64
    var expires: WallTime

    /// The time in which a link can be used.
    static let lifetime: Duration = .seconds(60 * 60)
    static let unknown = DomainError(
        .notFound, "This link was used already, or its hour is over. Ask for another one.")

    /// Whether the link can be used for an account at a moment. A link that a
    /// wrong clock has made would be valid for too long.
    func isValid(for account: Account, at now: WallTime) -> Bool {
        account.identifier == self.account && account.passwordNumber == passwordNumber && expires > now
            && expires <= now + Self.lifetime + SignInThrottle.clockSkew
    }
}
