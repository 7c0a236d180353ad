// SPDX-License-Identifier: Apache-2.0

/// The texts of the page of the e-mail address.
struct EmailWords: PageWords {
    var note: String
    var new: String
    var send: String
    /// It doesn't say whether another account has the address.
    var sent: String
    /// In the place of the form, in a store that sends no messages.
    var unavailable: String

    static let english = EmailWords(
        note: "The store sends a message with a link to the new address. Open the link to confirm it.",
        new: "New e-mail address",
        send: "Send the message",
        sent: "If the address can be used, a message with a link is on its way to it.",
        unavailable: "This store sends no messages. Ask its operator for another address of the account.")

    static let german = EmailWords(
        note: "Der Store sendet eine Nachricht mit einem Link an die neue Adresse. Öffnen Sie ihn zur Bestätigung.",
        new: "Neue E-Mail-Adresse",
        send: "Nachricht senden",
        sent: "Wenn die Adresse verwendet werden kann, ist eine Nachricht mit einem Link an sie unterwegs.",
        unavailable: "Dieser Store sendet keine Nachrichten. Bitten Sie den Betreiber um eine andere Adresse.")

    static let french = EmailWords(
        note: "La boutique envoie un message avec un lien à la nouvelle adresse. Ouvrez-le pour la confirmer.",
        new: "Nouvelle adresse e-mail",
        send: "Envoyer le message",
        sent: "Si l’adresse peut être utilisée, un message avec un lien lui est envoyé.",
        unavailable: "Cette boutique n’envoie pas de messages. Demandez une autre adresse à son exploitant.")
}
