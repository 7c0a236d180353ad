// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// The sentences of the failures that a customer can meet on a page, in a
/// language that isn't that of `StoreFailure.message`.
struct FailureSentences: Sendable {
    var wrongPassword: String
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
    /// Any other failure; the sentence in English is behind it.
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
        default: nil
        }
    }

    private static let german = FailureSentences(
        wrongPassword: "Der Account oder das Passwort fehlt oder ist falsch.",
        throttled: "Zu viele falsche Eingaben. Versuchen Sie es in {seconds} s noch einmal.",
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
        other: "Das hat nicht funktioniert.")

    private static let french = FailureSentences(
        wrongPassword: "Le compte ou le mot de passe manque ou est incorrect.",
        throttled: "Trop de saisies incorrectes. Réessayez dans {seconds} s.",
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
        other: "Cela n’a pas fonctionné.")
}
