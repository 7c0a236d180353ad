// SPDX-License-Identifier: Apache-2.0

/// The messages to customers in French.
struct FrenchMailWords: MailWords {
    func password(link: String) -> MailText {
        MailText(
            subject: "Votre nouveau mot de passe",
            body: """
                Vous pouvez définir ici un nouveau mot de passe pour votre compte :

                \(link)

                Le lien est valable une heure et une seule fois. Si vous ne l’avez pas demandé, ne faites rien :
                votre mot de passe ne change pas.
                """)
    }

    func address(link: String) -> MailText {
        MailText(
            subject: "Confirmez votre nouvelle adresse",
            body: """
                Confirmez ici que cette adresse est la nouvelle adresse de votre compte :

                \(link)

                Le lien est valable une heure et une seule fois. Si vous ne l’avez pas demandé, ne faites rien.
                """)
    }

    func addressChanged(store: String) -> MailText {
        MailText(
            subject: "Votre compte a une autre adresse",
            body: """
                Votre compte chez \(store) a maintenant une autre adresse ; celle-ci n’est plus utilisée.
                Si vous ne l’avez pas changée, écrivez à l’exploitant de la boutique.
                """)
    }

    func teamInvitation(link: String) -> MailText {
        MailText(
            subject: "Votre invitation à Connect",
            body: """
                Vous êtes invité à Connect, où les vendeurs enregistrent leurs apps et leurs produits. Choisissez ici
                votre mot de passe :

                \(link)

                Le lien est valable sept jours et une seule fois. Si vous n’attendez pas d’invitation, ne faites rien.
                """)
    }

    func teamRecovery(link: String) -> MailText {
        MailText(
            subject: "Votre nouveau mot de passe pour Connect",
            body: """
                Vous pouvez définir ici un nouveau mot de passe pour Connect :

                \(link)

                Le lien est valable un jour et une seule fois. Si vous ne l’avez pas demandé, ne faites
                rien : votre mot de passe ne change pas.
                """)
    }

    func childAsks(_ asked: ChildMessage.Asked) -> MailText {
        MailText(
            subject: "Une demande d’achat",
            body: """
                \(asked.child) souhaite acheter :

                «\u{A0}\(asked.product)\u{A0}» dans l’app «\u{A0}\(asked.app)\u{A0}»\(asked.terms)

                Acceptez ou refusez la demande ici :

                \(asked.page)

                Rien n’est débité avant votre accord.
                """)
    }

    func costs(_ price: String) -> String { "Le prix est de \(price)." }

    var free: String { "C’est gratuit." }
}
