// SPDX-License-Identifier: Apache-2.0

/// The texts of the page of the password.
struct PasswordWords: PageWords {
    var note: String
    var old: String
    var new: String
    var change: String
    var changed: String

    static let english = PasswordWords(
        note: "A new password signs out all browsers. Your devices stay signed in.",
        old: "Present password",
        new: "New password",
        change: "Change the password",
        changed: "The password is changed. All other browsers are signed out.")

    static let german = PasswordWords(
        note: "Ein neues Passwort meldet alle Browser ab. Ihre Geräte bleiben angemeldet.",
        old: "Bisheriges Passwort",
        new: "Neues Passwort",
        change: "Passwort ändern",
        changed: "Das Passwort ist geändert. Alle anderen Browser sind abgemeldet.")

    static let french = PasswordWords(
        note: "Un nouveau mot de passe déconnecte tous les navigateurs. Vos appareils restent connectés.",
        old: "Mot de passe actuel",
        new: "Nouveau mot de passe",
        change: "Changer le mot de passe",
        changed: "Le mot de passe est changé. Tous les autres navigateurs sont déconnectés.")
}
