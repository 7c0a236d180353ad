// SPDX-License-Identifier: Apache-2.0

/// The texts of the sandbox's page in the place of a bank's.
struct BankWords: PageWords {
    var title: String
    var part: String
    var lead: String
    var confirm: String
    var decline: String
    var confirmed: String
    var declined: String
    var goBack: String

    static let english = BankWords(
        title: "Sandbox bank",
        part: "What you confirm",
        lead: "A payment to the store, in the place of a bank's page for 3-D Secure. No money is charged.",
        confirm: "Confirm",
        decline: "Decline",
        confirmed: "Confirmed",
        declined: "Declined",
        goBack: "You can close this page and go back to the store's page.")

    static let german = BankWords(
        title: "Sandbox-Bank",
        part: "Was Sie bestätigen",
        lead: """
            Eine Zahlung an den Store, anstelle der Seite einer Bank für 3-D Secure. Es wird kein Geld abgebucht.
            """,
        confirm: "Bestätigen",
        decline: "Ablehnen",
        confirmed: "Bestätigt",
        declined: "Abgelehnt",
        goBack: "Sie können diese Seite schließen und zur Seite des Stores zurückkehren.")

    static let french = BankWords(
        title: "Banque du sandbox",
        part: "Ce que vous confirmez",
        lead: """
            Un paiement à la boutique, à la place de la page d’une banque pour 3-D Secure. Aucun montant n’est débité.
            """,
        confirm: "Confirmer",
        decline: "Refuser",
        confirmed: "Confirmé",
        declined: "Refusé",
        goBack: "Vous pouvez fermer cette page et revenir à celle de la boutique.")
}
