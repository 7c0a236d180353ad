// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore

/// The sentences of the failures that a customer can meet on a page, in a
/// language that isn't that of `StoreFailure.message`.
struct FailureSentences: Sendable {
    var wrongPassword: String
    var otherEnvironment: String
    /// `{seconds}` is the rest of the pause.
    var throttled: String
    var notFound: String
    var sheetUsed: String
    var sheetExpired: String
    var declined: String
    var priceChanged: String
    var decided: String
    var underWay: String
    var crossSite: String
    var unavailable: String
    var codeUnknown: String
    var codeUsed: String
    var codeExpired: String
    var codeRevoked: String
    var codeNotEligible: String
    var codeRedeemed: String
    var emailAddress: String
    var unsendable: String
    var password: String
    var comment: String
    var freePurchase: String
    var paymentMethods: String
    var organiser: String
    var account: String
    var product: String
    var offer: String
    var planInApp: String
    var ended: String
    var code: String
    var wrongCode: String
    var lastHolder: String
    var teamFull: String
    var keysFull: String
    var itemsFull: String
    var groupsFull: String
    var catalogueFull: String
    var purchasesLeft: String
    var teamLink: String
    var signedOut: String
    var forbidden: String
    var owned: String
    var changed: String
    /// Any other failure, of forms that no page of the store has; the sentence
    /// in English is behind it.
    var other: String

    /// The sentences of a language; `nil` in English.
    static func sentences(_ language: PageLanguage) -> FailureSentences? {
        switch language {
        case .english: nil
        case .german: .german
        case .french: .french
        }
    }

    /// The sentence of a code; `nil` for a code without one.
    subscript(code: StoreFailure.Code) -> String? {
        switch code {
        case .wrongPassword: wrongPassword
        case .otherEnvironment: otherEnvironment
        case .throttled: throttled
        case .notFound: notFound
        case .sheetUsed: sheetUsed
        case .sheetExpired: sheetExpired
        case .declined: declined
        case .priceChanged: priceChanged
        case .decided: decided
        case .underWay: underWay
        case .crossSite: crossSite
        case .unavailable: unavailable
        case .codeUnknown: codeUnknown
        case .codeUsed: codeUsed
        case .codeExpired: codeExpired
        case .codeRevoked: codeRevoked
        case .codeNotEligible: codeNotEligible
        case .codeRedeemed: codeRedeemed
        case .forbidden: forbidden
        case .changed: changed
        default: nil
        }
    }

    /// The sentence of a reason.
    subscript(reason: CustomerRefusal) -> String {
        switch reason {
        case .emailAddress: emailAddress
        case .unsendable: unsendable
        case .password: password
        case .comment: comment
        case .freePurchase: freePurchase
        case .paymentMethods: paymentMethods
        case .organiser: organiser
        case .account: account
        case .product: product
        case .offer: offer
        case .planInApp: planInApp
        case .ended: ended
        case .code: code
        case .wrongCode: wrongCode
        case .lastHolder: lastHolder
        case .teamFull: teamFull
        case .keysFull: keysFull
        case .itemsFull: itemsFull
        case .groupsFull: groupsFull
        case .catalogueFull: catalogueFull
        case .purchasesLeft: purchasesLeft
        case .teamLink: teamLink
        case .signedOut: signedOut
        case .changed: changed
        case .owned: owned
        }
    }

    private static let german = FailureSentences(
        wrongPassword: "Der Account oder das Passwort fehlt oder ist falsch.",
        otherEnvironment: """
            Dieser Account gilt hier nicht: Sandbox-Accounts gelten nur in der Sandbox, alle anderen nur außerhalb. \
            Melden Sie sich mit einem anderen Account an.
            """,
        throttled: "Zu viele Versuche. Versuchen Sie es in {seconds} s noch einmal.",
        notFound: "Hier gibt es nichts. Kehren Sie zur App zurück, und versuchen Sie es noch einmal.",
        sheetUsed: "Diese Seite wurde schon beantwortet.",
        sheetExpired: "Diese Seite wurde nicht rechtzeitig beantwortet. Es wurde nichts berechnet.",
        declined: """
            Die Zahlung wurde abgelehnt. Es wurde nichts berechnet. Versuchen Sie es noch einmal, oder fragen Sie Ihre \
            Bank.
            """,
        priceChanged: """
            Für Ihren Account gilt ein anderer Preis, oder es gelten andere Bedingungen. Lesen Sie sie noch einmal. Es \
            wurde noch nichts berechnet.
            """,
        decided: "Darüber wurde schon entschieden.",
        underWay: "Eine andere Zahlung ist noch nicht abgeschlossen. Kaufen Sie dies nicht noch einmal.",
        crossSite: "Diese Anfrage kam von der Seite eines anderen Anbieters. Der Store hat sie nicht ausgeführt.",
        unavailable: """
            Der Store kann gerade nicht antworten. Versuchen Sie es gleich noch einmal; es wird nur einmal ausgeführt.
            """,
        codeUnknown: "Diesen Code gibt es für diese App nicht. Prüfen Sie die Buchstaben und Ziffern.",
        codeUsed: "Dieser Code wurde schon eingelöst. Es wurde nichts berechnet.",
        codeExpired: "Dieser Code ist abgelaufen. Es wurde nichts berechnet.",
        codeRevoked: "Dieser Code gilt nicht mehr: Der Anbieter hat ihn zurückgezogen. Es wurde nichts berechnet.",
        codeNotEligible: "Dieser Code gilt nicht für Ihren Account. Es wurde nichts geändert.",
        codeRedeemed: "Sie haben schon einen Code dieses Angebots eingelöst. Es wurde nichts berechnet.",
        emailAddress: "Das ist keine E-Mail-Adresse. Schreiben Sie sie wie name@example.com.",
        unsendable: "An diese Adresse kann der Store keine Nachricht senden.",
        password: "Das Passwort ist leer oder zu lang.",
        comment: "Der Kommentar ist zu lang.",
        freePurchase: "Dieser Kauf hat nichts gekostet.",
        paymentMethods: "Mehr Zahlungsarten sind für einen Account nicht möglich. Entfernen Sie zuerst eine.",
        organiser: "Sie organisieren eine Familie. Lösen Sie zuerst die Familie auf. Es wurde nichts geändert.",
        account: "Dieser Account kann nichts kaufen.",
        product: "Dieses Produkt wird Ihrem Account nicht verkauft.",
        offer: "Dieses Angebot gilt nicht. Es wurde nichts berechnet.",
        planInApp: "Dieser Tarif wird sofort berechnet. Kaufen Sie ihn in der App. Es wurde nichts geändert.",
        ended: "Die Anfrage ist beendet.",
        code: "Geben Sie auch den Code Ihrer Authenticator-App oder einen Wiederherstellungscode ein.",
        wrongCode: "Der Code ist falsch oder wurde schon verwendet. Warten Sie auf den nächsten.",
        lastHolder: "Das Team braucht einen Account-Inhaber: Geben Sie zuerst einem anderen diese Rolle.",
        teamFull: "Das Team hat so viele Benutzer oder Einladungen, wie es haben kann. Entfernen Sie zuerst eine.",
        keysFull: "Das Team hat so viele Schlüssel, wie es haben kann. Widerrufen Sie zuerst einen.",
        itemsFull: """
            Das Team hat so viele Artikel, wie es haben kann. Ändern Sie einen, oder fragen Sie den Betreiber des Stores.
            """,
        groupsFull: "Die App hat so viele Abogruppen, wie sie haben kann. Wählen Sie eine davon.",
        catalogueFull: """
            Die App hat so viele Texte, Preise und Angebote, wie sie haben kann. Kürzen oder entfernen Sie zuerst einige.
            """,
        purchasesLeft: """
            Ein Teil der Käufe ist gelöscht. Löschen Sie den Verlauf noch einmal, bis keine mehr übrig sind.
            """,
        teamLink: "Diese Adresse wurde schon verwendet, oder ihre Zeit ist vorbei. Bitten Sie um eine neue.",
        signedOut: "Sie sind abgemeldet: Melden Sie sich wieder an.",
        forbidden: "Ihre Rolle erlaubt dies nicht.",
        owned: "Sie haben dies schon gekauft. Sie erhalten es noch einmal, und es wird nichts berechnet.",
        changed: """
            Jemand anderes hat dies inzwischen geändert. Die Seite zeigt die jetzigen Werte: Vergleichen Sie, und \
            speichern Sie noch einmal.
            """,
        other: "Das hat nicht funktioniert.")

    private static let french = FailureSentences(
        wrongPassword: "Le compte ou le mot de passe manque ou est incorrect.",
        otherEnvironment: """
            Ce compte n’est pas valable ici : les comptes sandbox ne servent que dans la sandbox, et les autres \
            seulement en dehors. Connectez-vous avec un autre compte.
            """,
        throttled: "Trop de tentatives. Réessayez dans {seconds} s.",
        notFound: "Il n’y a rien ici. Revenez à l’app et réessayez.",
        sheetUsed: "Vous avez déjà répondu sur cette page.",
        sheetExpired: "Vous n’avez pas répondu à temps sur cette page. Rien n’a été débité.",
        declined: "Le paiement a été refusé. Rien n’a été débité. Réessayez ou interrogez votre banque.",
        priceChanged: """
            Un autre prix ou d’autres conditions s’appliquent à votre compte. Relisez-les. Rien n’a encore été débité.
            """,
        decided: "Cela a déjà été décidé.",
        underWay: "Un autre paiement n’est pas encore terminé. N’achetez pas ceci une seconde fois.",
        crossSite: "Cette demande provenait de la page d’un autre site. Elle n’a pas été exécutée.",
        unavailable: """
            La boutique ne peut pas répondre pour le moment. Réessayez dans un instant ; la demande n’est exécutée \
            qu’une fois.
            """,
        codeUnknown: "Ce code n’existe pas pour cette app. Vérifiez les lettres et les chiffres.",
        codeUsed: "Ce code a déjà été utilisé. Rien n’a été débité.",
        codeExpired: "Ce code a expiré. Rien n’a été débité.",
        codeRevoked: "Ce code n’est plus valable : son vendeur l’a retiré. Rien n’a été débité.",
        codeNotEligible: "Ce code ne s’applique pas à votre compte. Rien n’a été modifié.",
        codeRedeemed: "Vous avez déjà utilisé un code de cette offre. Rien n’a été débité.",
        emailAddress: "Ce n’est pas une adresse e-mail. Écrivez-la comme name@example.com.",
        unsendable: "La boutique ne peut pas envoyer de message à cette adresse.",
        password: "Le mot de passe est vide ou trop long.",
        comment: "Le commentaire est trop long.",
        freePurchase: "Cet achat n’a rien coûté.",
        paymentMethods: "Un compte ne peut pas avoir plus de moyens de paiement. Supprimez-en d’abord un.",
        organiser: "Vous organisez une famille. Mettez d’abord fin à la famille. Rien n’a été modifié.",
        account: "Ce compte ne peut rien acheter.",
        product: "Ce produit n’est pas vendu à votre compte.",
        offer: "Cette offre ne s’applique pas. Rien n’a été débité.",
        planInApp: "Cette formule est débitée tout de suite. Achetez-la dans l’app. Rien n’a été modifié.",
        ended: "La demande est terminée.",
        code: "Saisissez aussi le code de votre app d’authentification, ou un code de secours.",
        wrongCode: "Le code est incorrect ou a déjà été utilisé. Attendez le suivant.",
        lastHolder: "L’équipe a besoin d’un titulaire du compte : donnez d’abord ce rôle à un autre utilisateur.",
        teamFull: "L’équipe a autant d’utilisateurs ou d’invitations que possible. Supprimez-en d’abord.",
        keysFull: "L’équipe a autant de clés que possible. Révoquez-en d’abord une.",
        itemsFull: """
            L’équipe a autant d’articles que possible. Modifiez-en un, ou demandez à l’opérateur de la boutique.
            """,
        groupsFull: "L’app a autant de groupes d’abonnements que possible. Choisissez l’un d’eux.",
        catalogueFull: """
            L’app a autant de textes, de prix et d’offres que possible. Raccourcissez-en ou supprimez-en d’abord.
            """,
        purchasesLeft: """
            Une partie des achats est effacée. Effacez de nouveau l’historique, jusqu’à ce qu’il soit vide.
            """,
        teamLink: "Cette adresse a déjà été utilisée, ou son délai est passé. Demandez-en une autre.",
        signedOut: "Vous êtes déconnecté : reconnectez-vous.",
        forbidden: "Votre rôle ne permet pas cela.",
        owned: "Vous avez déjà acheté ce produit. Vous l’obtenez de nouveau, et rien n’est débité.",
        changed: """
            Un autre utilisateur a modifié ceci entre-temps. La page montre les valeurs actuelles : comparez, puis \
            enregistrez de nouveau.
            """,
        other: "Cela n’a pas fonctionné.")
}
