// SPDX-License-Identifier: Apache-2.0

extension TeamMessage {
    /// The message of an order; `nil` when the invitation was accepted or
    /// revoked meanwhile, and for an address without a user.
    init?(_ order: MailOrder, _ db: StoreTransaction) throws {
        let language = order.language ?? .english
        if order.kind == .teamInvitation {
            guard let team = order.team, let invitation = try TeamInvitation.find(order.recipient, to: team, db) else {
                return nil
            }
            let link = TeamLink(
                kind: .invitation, team: team, email: invitation.email, expires: invitation.expires)
            self.init(link: link, language: language)
        } else {
            guard let user = try TeamUser.find(email: order.recipient, db) else { return nil }
            let link = TeamLink(
                kind: .password, team: user.team, email: user.email, expires: db.now + TeamLink.lifetime(.password))
            self.init(link: link, language: language)
        }
    }

    /// The text with a new link, which is saved.
    func text(_ token: String, _ publicURL: String, _ db: StoreTransaction) throws -> MailText {
        if link.kind == .password, let email = link.email {
            try TeamLink.deleteAll(.password, of: link.team, email: email, db)
        }
        try link.insert(token: token, db)
        return text(token, publicURL)
    }
}
