// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the pages of apps.
struct AppWords: PageWords {
    var search: String
    var none: String
    var register: String
    var registerNote: String
    var registered: String
    var name: String
    var nameHint: String
    var bundle: String
    var bundleHint: String
    var sku: String
    var skuHint: String
    var locale: String
    /// `{locale}`.
    var localeIs: String
    /// `{number}`.
    var numberIs: String
    var noNumber: String
    var change: String
    var state: String
    var stateHint: String
    var used: String
    var removed: String
    var noneRemoved: String

    /// The options of a state.
    var states: [ConsoleOption] {
        [
            ConsoleOption(AppRegistration.State.used.rawValue, used),
            ConsoleOption(AppRegistration.State.removed.rawValue, removed),
        ]
    }

    static let english = AppWords(
        search: "Name or bundle identifier",
        none: "The team has no app yet. Register one, or import a .storekit file.",
        register: "Register an app",
        registerNote: "The bundle identifier, the SKU and the language stay as they are.",
        registered: "The app is registered. Add its first product.",
        name: "Name",
        nameHint: "2 to 30 characters.",
        bundle: "Bundle identifier",
        bundleHint: "Exactly that of the app, such as com.example.fruit. No wildcard.",
        sku: "SKU",
        skuHint: "Your own number of the app, unique in your team.",
        locale: "Primary language",
        localeIs: "Primary language: {locale}",
        numberIs: "Apple ID: {number}",
        noNumber: "Apple ID: drawn with the store page or the first version",
        change: "Change the app",
        state: "State",
        stateHint:
            "A removed app isn’t in the list, and its products are off sale. Its customers keep their purchases.",
        used: "In use",
        removed: "Removed",
        noneRemoved: "The team has removed no app.")

    static let german = AppWords(
        search: "Name oder Bundle-ID",
        none: "Das Team hat noch keine App. Registrieren Sie eine, oder importieren Sie eine .storekit-Datei.",
        register: "App registrieren",
        registerNote: "Bundle-ID, SKU und Sprache bleiben, wie sie sind.",
        registered: "Die App ist registriert. Fügen Sie ihr erstes Produkt hinzu.",
        name: "Name",
        nameHint: "2 bis 30 Zeichen.",
        bundle: "Bundle-ID",
        bundleHint: "Genau die der App, etwa com.example.fruit. Kein Platzhalter.",
        sku: "SKU",
        skuHint: "Ihre eigene Nummer der App, einmalig in Ihrem Team.",
        locale: "Hauptsprache",
        localeIs: "Hauptsprache: {locale}",
        numberIs: "Apple-ID: {number}",
        noNumber: "Apple-ID: wird mit der Storeseite oder der ersten Version gezogen",
        change: "App ändern",
        state: "Zustand",
        stateHint: """
            Eine entfernte App steht nicht in der Liste, und ihre Produkte werden nicht verkauft. Ihre Kunden behalten \
            ihre Käufe.
            """,
        used: "In Gebrauch",
        removed: "Entfernt",
        noneRemoved: "Das Team hat keine App entfernt.")

    static let french = AppWords(
        search: "Nom ou identifiant de bundle",
        none: "L’équipe n’a pas encore d’app. Enregistrez-en une, ou importez un fichier .storekit.",
        register: "Enregistrer une app",
        registerNote: "L’identifiant de bundle, le SKU et la langue ne changent plus.",
        registered: "L’app est enregistrée. Ajoutez son premier produit.",
        name: "Nom",
        nameHint: "De 2 à 30 caractères.",
        bundle: "Identifiant de bundle",
        bundleHint: "Exactement celui de l’app, par exemple com.example.fruit. Sans caractère générique.",
        sku: "SKU",
        skuHint: "Votre propre numéro de l’app, unique dans votre équipe.",
        locale: "Langue principale",
        localeIs: "Langue principale : {locale}",
        numberIs: "Identifiant Apple : {number}",
        noNumber: "Identifiant Apple : tiré avec la page de la boutique ou la première version",
        change: "Modifier l’app",
        state: "État",
        stateHint: """
            Une app supprimée n’est pas dans la liste, et ses produits ne sont pas en vente. Ses clients gardent \
            leurs achats.
            """,
        used: "Utilisée",
        removed: "Supprimée",
        noneRemoved: "L’équipe n’a supprimé aucune app.")
}
