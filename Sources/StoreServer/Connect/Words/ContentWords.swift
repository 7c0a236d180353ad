// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the page of a product's hosted content.
struct ContentWords: PageWords {
    var title: String
    var versions: String
    /// `{version}`.
    var downloaded: String
    var none: String
    /// `{count}` and `{size}`.
    var size: String
    var live: String
    var earlier: String
    var remove: String
    var unfinished: String
    var unfinishedNote: String
    /// `{received}` and `{size}`.
    var received: String
    var upload: String
    var uploadNote: String
    var onlyNonConsumables: String
    var noStorage: String
    var file: String
    /// `{limit}` is a size.
    var fileHint: String
    var uploadButton: String
    var uploading: String
    var checking: String
    var interrupted: String
    var cancelled: String
    var cancel: String
    var published: String
    var removed: String

    static let english = ContentWords(
        title: "Hosted content",
        versions: "Versions",
        downloaded: "Customers who own the product download version {version}.",
        none: "The store hosts no content of this product yet. Upload a package.",
        size: "{count} files, {size}",
        live: "live",
        earlier: "earlier version",
        remove: "Remove",
        unfinished: "Unfinished uploads",
        unfinishedNote: """
            Customers don’t get them. An upload goes on when the same file is uploaded again, and is removed after a \
            day without that.
            """,
        received: "{received} of {size}",
        upload: "Upload a version",
        uploadNote: """
            The version is live as soon as the store has checked the whole package. Downloads of earlier versions go \
            on. A published version never changes: other files need another ContentVersion.
            """,
        onlyNonConsumables: "Only a non-consumable has content that the store hosts.",
        noStorage: "This store has no storage for content. Its operator starts it with --content FOLDER.",
        file: "Package",
        fileHint: "A file of storectl content pack (.oskcontent), at most {limit}. It can be dropped here.",
        uploadButton: "Upload and publish",
        uploading: "Uploading",
        checking: "The store checks the package.",
        interrupted: "The connection was lost. Nothing was published: upload the file again.",
        cancelled: "The upload was cancelled. Nothing was published.",
        cancel: "Cancel",
        published: "The version is live.",
        removed: "The version was removed.")

    static let german = ContentWords(
        title: "Gehosteter Inhalt",
        versions: "Versionen",
        downloaded: "Kunden, denen das Produkt gehört, laden Version {version}.",
        none: "Der Store hat noch keinen Inhalt dieses Produkts. Laden Sie ein Paket hoch.",
        size: "{count} Dateien, {size}",
        live: "wird ausgeliefert",
        earlier: "frühere Version",
        remove: "Entfernen",
        unfinished: "Unvollständig hochgeladen",
        unfinishedNote: """
            Kunden bekommen dies nicht. Es geht weiter, wenn dieselbe Datei noch einmal hochgeladen wird, und wird \
            sonst nach einem Tag entfernt.
            """,
        received: "{received} von {size}",
        upload: "Eine Version hochladen",
        uploadNote: """
            Die Version wird ausgeliefert, sobald der Store das ganze Paket geprüft hat. Downloads früherer Versionen \
            gehen weiter. Eine veröffentlichte Version ändert sich nie: Andere Dateien brauchen eine andere \
            ContentVersion.
            """,
        onlyNonConsumables: "Nur ein nicht verbrauchbares Produkt hat Inhalt, den der Store hostet.",
        noStorage: "Dieser Store hat keinen Speicher für Inhalte. Sein Betreiber startet ihn mit --content ORDNER.",
        file: "Paket",
        fileHint: """
            Eine Datei von storectl content pack (.oskcontent), höchstens {limit}. Sie kann hierher gezogen werden.
            """,
        uploadButton: "Hochladen und veröffentlichen",
        uploading: "Wird hochgeladen",
        checking: "Der Store prüft das Paket.",
        interrupted: """
            Die Verbindung ist abgebrochen. Es wurde nichts veröffentlicht: Laden Sie die Datei noch einmal hoch.
            """,
        cancelled: "Das Hochladen wurde abgebrochen. Es wurde nichts veröffentlicht.",
        cancel: "Abbrechen",
        published: "Die Version wird ausgeliefert.",
        removed: "Die Version wurde entfernt.")

    static let french = ContentWords(
        title: "Contenu hébergé",
        versions: "Versions",
        downloaded: "Les clients qui possèdent le produit téléchargent la version {version}.",
        none: "La boutique n’héberge encore aucun contenu de ce produit. Envoyez un paquet.",
        size: "{count} fichiers, {size}",
        live: "en ligne",
        earlier: "version antérieure",
        remove: "Supprimer",
        unfinished: "Envois inachevés",
        unfinishedNote: """
            Les clients ne les reçoivent pas. Un envoi continue lorsque le même fichier est envoyé de nouveau, et il \
            est supprimé après un jour sans cela.
            """,
        received: "{received} sur {size}",
        upload: "Envoyer une version",
        uploadNote: """
            La version est en ligne dès que la boutique a vérifié tout le paquet. Les téléchargements de versions \
            antérieures continuent. Une version publiée ne change jamais : d’autres fichiers exigent une autre \
            ContentVersion.
            """,
        onlyNonConsumables: "Seul un produit non consommable a un contenu hébergé par la boutique.",
        noStorage: "Cette boutique n’a pas de stockage de contenu. Son exploitant la démarre avec --content DOSSIER.",
        file: "Paquet",
        fileHint: "Un fichier de storectl content pack (.oskcontent), de {limit} au plus. Il peut être déposé ici.",
        uploadButton: "Envoyer et publier",
        uploading: "Envoi en cours",
        checking: "La boutique vérifie le paquet.",
        interrupted: "La connexion est perdue. Rien n’a été publié : envoyez le fichier de nouveau.",
        cancelled: "L’envoi a été annulé. Rien n’a été publié.",
        cancel: "Annuler",
        published: "La version est en ligne.",
        removed: "La version a été supprimée.")
}
