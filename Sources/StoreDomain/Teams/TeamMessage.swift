// SPDX-License-Identifier: Apache-2.0

/// The message with a one-time address to a person whom a team has invited, or
/// to a user of Connect who has forgotten the password.
struct TeamMessage: Hashable, Sendable {
    var link: TeamLink
    var language: MailLanguage

    /// The text of the message. It has no value from outside but the address.
    func text(_ token: String, _ publicURL: String) -> MailText {
        let address = publicURL + TeamLink.path(link.kind, token)
        return link.kind == .invitation
            ? language.words.teamInvitation(link: address) : language.words.teamRecovery(link: address)
    }
}
