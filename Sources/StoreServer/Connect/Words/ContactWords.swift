// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the page of shared contacts, and of the field of the bonus for one.
struct ContactWords: PageWords {
    var title: String
    var note: String
    var none: String
    /// `{count}`.
    var download: String
    var bonus: String
    var bonusHint: String
    var noBonus: String

    static let english = ContactWords(
        title: "Contacts",
        note: """
            Customers who have shared their name, e-mail address and postcode with you for a longer first period, oldest \
            first. A contact is deleted when its customer closes the account.
            """,
        none: "No customer has shared a contact yet. A subscription offers it when it has a bonus for a contact.",
        download: "Download as a table (CSV, at most {count})",
        bonus: "Bonus for a contact",
        bonusHint:
            "The first period is longer by it if the customer shares name, e-mail address and postcode with you.",
        noBonus: "None")

    static let german = ContactWords(
        title: "Kontakte",
        note: """
            Kunden, die Ihnen Namen, E-Mail-Adresse und Postleitzahl für einen längeren ersten Zeitraum weitergegeben \
            haben, die ältesten zuerst. Ein Kontakt wird gelöscht, wenn der Kunde sein Konto schließt.
            """,
        none: """
            Noch kein Kunde hat einen Kontakt weitergegeben. Ein Abo bietet es an, wenn es einen Bonus für einen Kontakt \
            hat.
            """,
        download: "Als Tabelle herunterladen (CSV, höchstens {count})",
        bonus: "Bonus für einen Kontakt",
        bonusHint: """
            Um ihn ist der erste Zeitraum länger, wenn der Kunde Ihnen Namen, E-Mail-Adresse und Postleitzahl weitergibt.
            """,
        noBonus: "Keiner")

    static let french = ContactWords(
        title: "Contacts",
        note: """
            Les clients qui vous ont communiqué leur nom, leur adresse e-mail et leur code postal pour une première \
            période plus longue, les plus anciens d’abord. Un contact est supprimé quand le client ferme son compte.
            """,
        none: """
            Aucun client n’a encore communiqué ses coordonnées. Un abonnement le propose quand il a un bonus pour un \
            contact.
            """,
        download: "Télécharger le tableau (CSV, {count} au plus)",
        bonus: "Bonus pour un contact",
        bonusHint: """
            La première période en est prolongée si le client vous communique son nom, son adresse e-mail et son code \
            postal.
            """,
        noBonus: "Aucun")
}
