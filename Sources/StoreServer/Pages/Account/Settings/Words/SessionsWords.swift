// SPDX-License-Identifier: Apache-2.0

/// The texts of the page of the browsers.
struct SessionsWords: PageWords {
    var unnamed: String
    var current: String
    var none: String
    var end: String
    var endAll: String
    var everywhere: String
    var ended: String
    var allEnded: String
    var everywhereEnded: String
    var signedOut: String
    var opened: String
    var seen: String

    static let english = SessionsWords(
        unnamed: "A browser without a name",
        current: "This browser.",
        none: "No browser is signed in: the password is typed for each answer.",
        end: "Sign out there",
        endAll: "Sign out in all browsers",
        everywhere: "Sign out everywhere, on all devices too",
        ended: "The browser is signed out.",
        allEnded: "All browsers are signed out.",
        everywhereEnded: "All browsers and all devices are signed out.",
        signedOut: "This browser is signed out.",
        opened: "Signed in on {date}.",
        seen: "Last used on {date}.")

    static let german = SessionsWords(
        unnamed: "Ein Browser ohne Namen",
        current: "Dieser Browser.",
        none: "Kein Browser ist angemeldet: Das Passwort wird für jede Antwort eingegeben.",
        end: "Dort abmelden",
        endAll: "In allen Browsern abmelden",
        everywhere: "Überall abmelden, auch auf allen Geräten",
        ended: "Der Browser ist abgemeldet.",
        allEnded: "Alle Browser sind abgemeldet.",
        everywhereEnded: "Alle Browser und alle Geräte sind abgemeldet.",
        signedOut: "Dieser Browser ist abgemeldet.",
        opened: "Angemeldet am {date}.",
        seen: "Zuletzt benutzt am {date}.")

    static let french = SessionsWords(
        unnamed: "Un navigateur sans nom",
        current: "Ce navigateur.",
        none: "Aucun navigateur n’est connecté : le mot de passe est saisi pour chaque réponse.",
        end: "Se déconnecter de ce navigateur",
        endAll: "Se déconnecter de tous les navigateurs",
        everywhere: "Se déconnecter partout, y compris sur tous les appareils",
        ended: "Le navigateur est déconnecté.",
        allEnded: "Tous les navigateurs sont déconnectés.",
        everywhereEnded: "Tous les navigateurs et tous les appareils sont déconnectés.",
        signedOut: "Ce navigateur est déconnecté.",
        opened: "Connexion le {date}.",
        seen: "Dernière utilisation le {date}.")
}
