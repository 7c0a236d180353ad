// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the list of transactions. ``RecordWords`` has those of a
/// transaction's page.
struct TransactionWords: PageWords {
    var search: String
    var app: String
    var allApps: String
    /// Above the list of a team with more apps than a list has; `{count}`.
    var firstApps: String
    var kind: String
    var allKinds: String
    var state: String
    var allStates: String
    var valid: String
    var refunded: String
    var unfinished: String
    var none: String
    var older: String
    var olderAfterSearch: String
    var newer: String
    var newerAfterSearch: String

    static let english = TransactionWords(
        search: "Transaction, order, original transaction, account token, device, or a tester’s e-mail address",
        app: "App",
        allApps: "All apps",
        firstApps: "The list has the purchases of {count} apps. Choose an app to see those of another.",
        kind: "Type",
        allKinds: "All types",
        state: "State",
        allStates: "All states",
        valid: "not refunded",
        refunded: "refunded",
        unfinished: "not finished by the app",
        none: "Nothing was bought yet. The first purchase of an app appears here.",
        older: "Older transactions",
        olderAfterSearch: "Search older transactions",
        newer: "Newer transactions",
        newerAfterSearch: "Search newer transactions")

    static let german = TransactionWords(
        search: """
            Transaktion, Bestellung, ursprüngliche Transaktion, Konto-Token, Gerät oder E-Mail-Adresse eines Testers
            """,
        app: "App",
        allApps: "Alle Apps",
        firstApps: "Die Liste enthält die Käufe von {count} Apps. Wählen Sie eine App, um die einer anderen zu sehen.",
        kind: "Art",
        allKinds: "Alle Arten",
        state: "Zustand",
        allStates: "Alle Zustände",
        valid: "nicht erstattet",
        refunded: "erstattet",
        unfinished: "von der App nicht abgeschlossen",
        none: "Es wurde noch nichts gekauft. Der erste Kauf in einer App erscheint hier.",
        older: "Ältere Transaktionen",
        olderAfterSearch: "Ältere Transaktionen durchsuchen",
        newer: "Neuere Transaktionen",
        newerAfterSearch: "Neuere Transaktionen durchsuchen")

    static let french = TransactionWords(
        search: "Transaction, commande, transaction d’origine, jeton de compte, appareil ou adresse d’un testeur",
        app: "App",
        allApps: "Toutes les apps",
        firstApps: "La liste contient les achats de {count} apps. Choisissez une app pour voir ceux d’une autre.",
        kind: "Type",
        allKinds: "Tous les types",
        state: "État",
        allStates: "Tous les états",
        valid: "non remboursé",
        refunded: "remboursé",
        unfinished: "non terminé par l’app",
        none: "Rien n’a encore été acheté. Le premier achat dans une app apparaît ici.",
        older: "Transactions plus anciennes",
        olderAfterSearch: "Chercher dans les transactions plus anciennes",
        newer: "Transactions plus récentes",
        newerAfterSearch: "Chercher dans les transactions plus récentes")

    func name(_ state: TeamPurchaseFilter.State) -> String {
        switch state {
        case .valid: valid
        case .refunded: refunded
        case .unfinished: unfinished
        }
    }
}
