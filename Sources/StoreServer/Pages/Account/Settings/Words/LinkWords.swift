// SPDX-License-Identifier: Apache-2.0

/// The texts of the page of a forgotten password, and of the pages of links.
struct LinkWords: PageWords {
    var forgotten: String
    var email: String
    var send: String
    var sentTitle: String
    /// It doesn't say whether the address has an account.
    var sent: String
    var newPassword: String
    var setPassword: String
    var passwordTitle: String
    var passwordSet: String
    var confirmTitle: String
    var confirm: String
    var confirmedTitle: String
    var confirmed: String
    var uselessTitle: String
    var useless: String

    static let english = LinkWords(
        forgotten: "Forgotten password",
        email: "E-mail address of your account",
        send: "Send a link",
        sentTitle: "Look for a message",
        sent: "If the address has an account, a message with a link is on its way. The link is valid for one hour.",
        newPassword: "New password",
        setPassword: "Set the password",
        passwordTitle: "The password is changed",
        passwordSet: "All browsers are signed out. You can close this page.",
        confirmTitle: "Confirm the address",
        confirm: "Use this address",
        confirmedTitle: "The address is changed",
        confirmed: "Sign in with the new address from now on.",
        uselessTitle: "The link is no longer valid",
        useless: "The link was used already, its hour is over, or a newer one replaces it. Ask for another one.")

    static let german = LinkWords(
        forgotten: "Passwort vergessen",
        email: "E-Mail-Adresse Ihres Accounts",
        send: "Link senden",
        sentTitle: "Sehen Sie nach einer Nachricht",
        sent: """
            Wenn es einen Account mit dieser Adresse gibt, ist eine Nachricht mit einem Link unterwegs. Er gilt eine \
            Stunde lang.
            """,
        newPassword: "Neues Passwort",
        setPassword: "Passwort festlegen",
        passwordTitle: "Das Passwort ist geändert",
        passwordSet: "Alle Browser sind abgemeldet. Sie können diese Seite schließen.",
        confirmTitle: "Adresse bestätigen",
        confirm: "Diese Adresse verwenden",
        confirmedTitle: "Die Adresse ist geändert",
        confirmed: "Melden Sie sich ab jetzt mit der neuen Adresse an.",
        uselessTitle: "Der Link gilt nicht",
        useless: """
            Der Link wurde schon benutzt, seine Stunde ist vorbei, oder ein neuerer ersetzt ihn. Fordern Sie einen \
            anderen an.
            """)

    static let french = LinkWords(
        forgotten: "Mot de passe oublié",
        email: "Adresse e-mail de votre compte",
        send: "Envoyer un lien",
        sentTitle: "Consultez vos messages",
        sent: "Si l’adresse a un compte, un message avec un lien lui est envoyé. Le lien est valable une heure.",
        newPassword: "Nouveau mot de passe",
        setPassword: "Définir le mot de passe",
        passwordTitle: "Le mot de passe est changé",
        passwordSet: "Tous les navigateurs sont déconnectés. Vous pouvez fermer cette page.",
        confirmTitle: "Confirmer l’adresse",
        confirm: "Utiliser cette adresse",
        confirmedTitle: "L’adresse est changée",
        confirmed: "Connectez-vous désormais avec la nouvelle adresse.",
        uselessTitle: "Le lien n’est pas valable",
        useless: "Le lien a déjà servi, son heure est passée ou un autre le remplace. Demandez-en un autre.")
}
