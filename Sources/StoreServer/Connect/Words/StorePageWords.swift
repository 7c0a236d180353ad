// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the pages of an app's store page and of its versions.
struct StorePageWords: PageWords {
    var title: String
    var note: String
    var sold: String
    /// `{version}`.
    var soldVersion: String
    var unsaved: String
    /// A version has to be released.
    var unreleased: String
    /// `{day}`.
    var waits: String
    var page: String
    var edit: String
    var versions: String
    var versionsNote: String
    var noVersions: String
    /// `{number}`.
    var numberIs: String
    var version: String
    var versionHint: String
    var add: String
    var release: String
    var remove: String
    var prepared: String
    var ready: String
    var replaced: String
    var older: String

    static let english = StorePageWords(
        title: "Store page",
        note: "Customers find the app on this page of the store. Apps show it on devices, too.",
        sold: "The page sells the app.",
        soldVersion: "Version {version}",
        unsaved: "The app has no store page yet. The store makes it when you save it.",
        unreleased: "The page doesn’t sell the app yet: release a version.",
        waits: "The page sells the app from {day} on.",
        page: "The app’s page",
        edit: "Change the page",
        versions: "Versions",
        versionsNote: """
            The store page sells the version that is ready for sale. Receipts name the version on the device by its \
            number. The store has no binaries.
            """,
        noVersions: "The app has no version yet.",
        numberIs: "External identifier: {number}",
        version: "Version",
        versionHint: "As the app has it (CFBundleShortVersionString): one to three numbers, such as 1.2.3.",
        add: "Add the version",
        release: "Release",
        remove: "Remove",
        prepared: "Prepare for submission",
        ready: "Ready for sale",
        replaced: "Replaced",
        older: "Older versions")

    static let german = StorePageWords(
        title: "Storeseite",
        note: "Kunden finden die App auf dieser Seite des Stores. Auch Apps zeigen sie auf Geräten.",
        sold: "Die Seite verkauft die App.",
        soldVersion: "Version {version}",
        unsaved: "Die App hat noch keine Storeseite. Der Store erzeugt sie, wenn Sie speichern.",
        unreleased: "Die Seite verkauft die App noch nicht: Veröffentlichen Sie eine Version.",
        waits: "Die Seite verkauft die App ab {day}.",
        page: "Die Seite der App",
        edit: "Die Seite ändern",
        versions: "Versionen",
        versionsNote: """
            Die Storeseite verkauft die Version, die zum Verkauf bereit ist. Belege nennen die Version auf dem Gerät \
            mit ihrer Nummer. Der Store hat keine Programme.
            """,
        noVersions: "Die App hat noch keine Version.",
        numberIs: "Externe Nummer: {number}",
        version: "Version",
        versionHint: "Wie sie die App hat (CFBundleShortVersionString): eine bis drei Zahlen, etwa 1.2.3.",
        add: "Version hinzufügen",
        release: "Veröffentlichen",
        remove: "Entfernen",
        prepared: "In Vorbereitung",
        ready: "Zum Verkauf bereit",
        replaced: "Ersetzt",
        older: "Ältere Versionen")

    static let french = StorePageWords(
        title: "Page de la boutique",
        note: "Les clients trouvent l’app sur cette page de la boutique. Les apps la montrent aussi sur les appareils.",
        sold: "La page vend l’app.",
        soldVersion: "Version {version}",
        unsaved: "L’app n’a pas encore de page. La boutique la crée quand vous l’enregistrez.",
        unreleased: "La page ne vend pas encore l’app : publiez une version.",
        waits: "La page vend l’app à partir du {day}.",
        page: "La page de l’app",
        edit: "Modifier la page",
        versions: "Versions",
        versionsNote: """
            La page vend la version qui est prête à la vente. Les reçus désignent la version sur l’appareil par son \
            numéro. La boutique n’a pas de programmes.
            """,
        noVersions: "L’app n’a pas encore de version.",
        numberIs: "Identifiant externe : {number}",
        version: "Version",
        versionHint: "Celle de l’app (CFBundleShortVersionString) : d’un à trois nombres, comme 1.2.3.",
        add: "Ajouter la version",
        release: "Publier",
        remove: "Supprimer",
        prepared: "En préparation",
        ready: "Prête à la vente",
        replaced: "Remplacée",
        older: "Versions plus anciennes")

    func name(_ state: AppVersion.State) -> String {
        switch state {
        case .prepared: prepared
        case .ready: ready
        case .replaced: replaced
        }
    }
}
