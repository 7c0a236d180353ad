// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the page of the payment methods.
struct PaymentWords: PageWords {
    /// For an account that never had a method, in the sandbox.
    var standard: String
    var none: String
    var sandbox: String
    var preferred: String
    var expires: String
    var prefer: String
    var remove: String
    var legend: String
    var add: String
    var added: String
    var nowPreferred: String
    var removed: String
    /// The sandbox's test methods.
    var accepted: String
    var declined: String
    var bank: String
    var expiring: String

    func card(_ card: SandboxMethod) -> String {
        switch card {
        case .accepted: accepted
        case .declined: declined
        case .bank: bank
        default: expiring
        }
    }

    static let english = PaymentWords(
        standard: "The account has no payment method. The sandbox’s standard method pays for its purchases.",
        none: "The account has no payment method. Add one to buy something; subscriptions aren’t renewed without one.",
        sandbox: "These are test cards of the sandbox, which charge no money. Never type a real card’s number here.",
        preferred: "Preferred: purchases and renewals are charged by this one.",
        expires: "Expires on {date}.",
        prefer: "Prefer",
        remove: "Remove",
        legend: "Add a test card",
        add: "Add",
        added: "The payment method is added.",
        nowPreferred: "The payment method is preferred now.",
        removed: "The payment method is removed.",
        accepted: "accepts payments",
        declined: "declines payments",
        bank: "asks for a step at the bank",
        expiring: "expires in 30 days")

    static let german = PaymentWords(
        standard: "Der Account hat keine Zahlungsart. Seine Käufe bezahlt die Standard-Zahlungsart der Sandbox.",
        none: """
            Der Account hat keine Zahlungsart. Fügen Sie eine hinzu, um etwas zu kaufen; ohne sie wird kein Abonnement \
            verlängert.
            """,
        sandbox: """
            Dies sind Testkarten der Sandbox, mit denen kein Geld abgebucht wird. Geben Sie hier nie die Nummer einer \
            echten Karte ein.
            """,
        preferred: "Bevorzugt: Käufe und Verlängerungen werden damit bezahlt.",
        expires: "Läuft am {date} ab.",
        prefer: "Bevorzugen",
        remove: "Entfernen",
        legend: "Testkarte hinzufügen",
        add: "Hinzufügen",
        added: "Die Zahlungsart ist hinzugefügt.",
        nowPreferred: "Die Zahlungsart wird jetzt bevorzugt.",
        removed: "Die Zahlungsart ist entfernt.",
        accepted: "nimmt Zahlungen an",
        declined: "lehnt Zahlungen ab",
        bank: "verlangt einen Schritt bei der Bank",
        expiring: "läuft in 30 Tagen ab")

    static let french = PaymentWords(
        standard: "Le compte n’a aucun moyen de paiement. Celui de la sandbox règle ses achats.",
        none: """
            Le compte n’a aucun moyen de paiement. Ajoutez-en un pour acheter ; sans lui, aucun abonnement n’est \
            renouvelé.
            """,
        sandbox: """
            Ce sont des cartes de test de la sandbox, qui ne débitent rien. Ne saisissez jamais ici le numéro d’une \
            vraie carte.
            """,
        preferred: "Préféré : il règle les achats et les renouvellements.",
        expires: "Expire le {date}.",
        prefer: "Préférer",
        remove: "Supprimer",
        legend: "Ajouter une carte de test",
        add: "Ajouter",
        added: "Le moyen de paiement est ajouté.",
        nowPreferred: "Le moyen de paiement est désormais préféré.",
        removed: "Le moyen de paiement est supprimé.",
        accepted: "accepte les paiements",
        declined: "refuse les paiements",
        bank: "demande une étape à la banque",
        expiring: "expire dans 30 jours")
}
