// SPDX-License-Identifier: Apache-2.0

/// The texts that all pages of Connect include.
struct ConsoleWords: PageWords {
    var navigation: String
    var skip: String
    var users: String
    var roles: String
    var log: String
    var account: String
    /// Beside a field that may be empty.
    var optional: String
    var search: String
    var find: String
    /// The link to the next page of a list.
    var more: String
    var nothingFound: String
    var saved: String
    var save: String

    static let english = ConsoleWords(
        navigation: "Connect",
        skip: "To the contents",
        users: "Users",
        roles: "Roles",
        log: "Changes",
        account: "Your account",
        optional: "optional",
        search: "Search",
        find: "Search",
        more: "More",
        nothingFound: "The search has found nothing.",
        saved: "Saved.",
        save: "Save")

    static let german = ConsoleWords(
        navigation: "Connect",
        skip: "Zum Inhalt",
        users: "Benutzer",
        roles: "Rollen",
        log: "Änderungen",
        account: "Ihr Zugang",
        optional: "freiwillig",
        search: "Suchen",
        find: "Suchen",
        more: "Mehr",
        nothingFound: "Die Suche hat nichts gefunden.",
        saved: "Gespeichert.",
        save: "Speichern")

    static let french = ConsoleWords(
        navigation: "Connect",
        skip: "Aller au contenu",
        users: "Utilisateurs",
        roles: "Rôles",
        log: "Modifications",
        account: "Votre accès",
        optional: "facultatif",
        search: "Rechercher",
        find: "Rechercher",
        more: "Suite",
        nothingFound: "La recherche n’a rien trouvé.",
        saved: "Enregistré.",
        save: "Enregistrer")
}
