// SPDX-License-Identifier: Apache-2.0

/// The texts that all pages of Connect include.
struct ConsoleWords: PageWords {
    var navigation: String
    var menu: String
    var skip: String
    var apps: String
    var items: String
    var agreements: String
    var transactions: String
    var reviews: String
    var live: String
    var testers: String
    var users: String
    var roles: String
    var log: String
    var keys: String
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
    /// The saved value below a typed one; `{value}`.
    var present: String
    var presentNone: String
    /// Above a form whose object another user has changed.
    var changedMeanwhile: String

    static let english = ConsoleWords(
        navigation: "Connect",
        menu: "Menu:",
        skip: "To the contents",
        apps: "Apps",
        items: "Items",
        agreements: "Agreements",
        transactions: "Transactions",
        reviews: "Review",
        live: "Live",
        testers: "Testers",
        users: "Users",
        roles: "Roles",
        log: "Changes",
        keys: "Keys",
        account: "Your account",
        optional: "optional",
        search: "Search",
        find: "Search",
        more: "More",
        nothingFound: "Nothing was found.",
        saved: "Saved.",
        save: "Save",
        present: "Saved meanwhile: {value}",
        presentNone: "Saved meanwhile without a value",
        changedMeanwhile: """
            Nothing was saved, because another user has saved other values since you opened this page. Your values \
            are in the fields, and the saved ones below them. Save again to keep yours.
            """)

    static let german = ConsoleWords(
        navigation: "Connect",
        menu: "Menü:",
        skip: "Zum Inhalt",
        apps: "Apps",
        items: "Artikel",
        agreements: "Verträge",
        transactions: "Transaktionen",
        reviews: "Prüfung",
        live: "Live",
        testers: "Tester",
        users: "Benutzer",
        roles: "Rollen",
        log: "Änderungen",
        keys: "Schlüssel",
        account: "Ihr Zugang",
        optional: "optional",
        search: "Suchen",
        find: "Suchen",
        more: "Mehr",
        nothingFound: "Es wurde nichts gefunden.",
        saved: "Gespeichert.",
        save: "Speichern",
        present: "Inzwischen gespeichert: {value}",
        presentNone: "Inzwischen ohne Wert gespeichert",
        changedMeanwhile: """
            Es wurde nichts gespeichert, weil jemand anderes seit dem Öffnen dieser Seite andere Werte gespeichert \
            hat. Ihre Werte stehen in den Feldern, die gespeicherten darunter. Speichern Sie noch einmal, um Ihre zu behalten.
            """)

    static let french = ConsoleWords(
        navigation: "Connect",
        menu: "Menu\u{00A0}:",
        skip: "Aller au contenu",
        apps: "Apps",
        items: "Articles",
        agreements: "Contrats",
        transactions: "Transactions",
        reviews: "Examen",
        live: "En direct",
        testers: "Testeurs",
        users: "Utilisateurs",
        roles: "Rôles",
        log: "Modifications",
        keys: "Clés",
        account: "Votre accès",
        optional: "facultatif",
        search: "Rechercher",
        find: "Rechercher",
        more: "Suite",
        nothingFound: "Aucun résultat.",
        saved: "Enregistré.",
        save: "Enregistrer",
        present: "Enregistré entre-temps : {value}",
        presentNone: "Enregistré entre-temps sans valeur",
        changedMeanwhile: """
            Rien n’a été enregistré, car une autre personne a enregistré d’autres valeurs depuis l’ouverture de cette \
            page. Vos valeurs sont dans les champs, celles enregistrées en dessous. Enregistrez à nouveau pour garder \
            les vôtres.
            """)
}
