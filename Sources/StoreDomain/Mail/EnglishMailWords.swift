// SPDX-License-Identifier: Apache-2.0

/// The messages to customers in English.
struct EnglishMailWords: MailWords {
    func password(link: String) -> MailText {
        MailText(
            subject: "Your new password",
            body: """
                You can set a new password for your account here:

                \(link)

                The link is valid for one hour, and can be used once. If you have not asked for it, do nothing:
                your password stays as it is.
                """)
    }

    func address(link: String) -> MailText {
        MailText(
            subject: "Confirm your new address",
            body: """
                Confirm here that this is the new address of your account:

                \(link)

                The link is valid for one hour, and can be used once. If you have not asked for it, do nothing.
                """)
    }

    func addressChanged(store: String) -> MailText {
        MailText(
            subject: "Your account has another address",
            body: """
                Your account at \(store) has another address now, and this one isn't used any more.
                If you have not changed it, write to the operator of the store.
                """)
    }

    func teamInvitation(link: String) -> MailText {
        MailText(
            subject: "Your invitation to Connect",
            body: """
                You are invited to Connect, where sellers register their apps and products. Choose your password here:

                \(link)

                The link is valid for seven days, and can be used once. If you don't expect an invitation, do nothing.
                """)
    }

    func teamRecovery(link: String) -> MailText {
        MailText(
            subject: "Your new password for Connect",
            body: """
                You can set a new password for Connect here:

                \(link)

                The link is valid for one day, and can be used once. If you have not asked for it, do nothing:
                your password stays as it is.
                """)
    }

    func childAsks(_ asked: ChildMessage.Asked) -> MailText {
        MailText(
            subject: "A request to buy",
            body: """
                \(asked.child) asks to buy:

                “\(asked.product)” in the app “\(asked.app)”\(asked.terms)

                Approve or decline the request here:

                \(asked.page)

                Nothing is charged before you approve it.
                """)
    }

    func costs(_ price: String) -> String { "It costs \(price)." }

    var free: String { "It is free of charge." }
}
