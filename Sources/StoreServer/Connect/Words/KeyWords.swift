// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the page of a team's keys.
struct KeyWords: PageWords {
    var make: String
    var makeNote: String
    var name: String
    var purpose: String
    var inAppPurchase: String
    var connect: String
    var purposeHint: String
    var role: String
    var roleHint: String
    var makeButton: String
    var keys: String
    var none: String
    var ofFiles: String
    var ofFilesNote: String
    /// `{user}` and `{date}`.
    var madeBy: String
    /// `{date}`.
    var revokedOn: String
    var revoke: String
    var revoked: String
    /// `{name}` is the key's.
    var made: String
    var madeNote: String
    var file: String
    var identifier: String
    var issuer: String

    static let english = KeyWords(
        make: "Make a key",
        makeNote: """
            A program signs its requests with a key. The private key is shown once: the store doesn’t keep it.
            """,
        name: "Name",
        purpose: "Purpose",
        inAppPurchase: "In-App Purchases",
        connect: "Connect’s API",
        purposeHint: "A key for In-App Purchases calls the App Store Server API, and signs offers.",
        role: "Role",
        roleHint: "Only a key for Connect’s API has a role.",
        makeButton: "Make the key",
        keys: "The team’s keys",
        none: "The team has no key yet.",
        ofFiles: "Keys of the apps’ files",
        ofFilesNote: "They sign promotional offers of their app, and nothing else.",
        madeBy: "made by {user} on {date}",
        revokedOn: "revoked on {date}",
        revoke: "Revoke",
        revoked: "The key is revoked.",
        made: "The key “{name}”",
        madeNote: """
            Save the private key as a file now, and keep it secret. It isn’t shown again. Anyone who has it can act with the \
            rights of the key.
            """,
        file: "Private key (.p8)",
        identifier: "Key ID",
        issuer: "Issuer ID")

    static let german = KeyWords(
        make: "Schlüssel erzeugen",
        makeNote: """
            Ein Programm signiert seine Anfragen mit einem Schlüssel. Der private Schlüssel wird einmal gezeigt: Der \
            Store behält ihn nicht.
            """,
        name: "Name",
        purpose: "Zweck",
        inAppPurchase: "In-App-Käufe",
        connect: "API von Connect",
        purposeHint: "Ein Schlüssel für In-App-Käufe ruft die App Store Server API auf und signiert Angebote.",
        role: "Rolle",
        roleHint: "Nur ein Schlüssel für die API von Connect hat eine Rolle.",
        makeButton: "Schlüssel erzeugen",
        keys: "Die Schlüssel des Teams",
        none: "Das Team hat noch keinen Schlüssel.",
        ofFiles: "Schlüssel der Dateien der Apps",
        ofFilesNote: "Sie signieren Werbeangebote ihrer App und sonst nichts.",
        madeBy: "erzeugt von {user} am {date}",
        revokedOn: "widerrufen am {date}",
        revoke: "Widerrufen",
        revoked: "Der Schlüssel ist widerrufen.",
        made: "Der Schlüssel „{name}“",
        madeNote: """
            Speichern Sie den privaten Schlüssel jetzt als Datei und halten Sie ihn geheim. Er wird nicht noch einmal \
            gezeigt. Wer ihn hat, handelt mit den Rechten des Schlüssels.
            """,
        file: "Privater Schlüssel (.p8)",
        identifier: "Schlüssel-ID",
        issuer: "Aussteller-ID")

    static let french = KeyWords(
        make: "Créer une clé",
        makeNote: """
            Un programme signe ses requêtes avec une clé. La clé privée n’est montrée qu’une fois : la boutique ne la \
            conserve pas.
            """,
        name: "Nom",
        purpose: "Usage",
        inAppPurchase: "Achats intégrés",
        connect: "API de Connect",
        purposeHint: "Une clé pour les achats intégrés appelle l’App Store Server API et signe des offres.",
        role: "Rôle",
        roleHint: "Seule une clé pour l’API de Connect a un rôle.",
        makeButton: "Créer la clé",
        keys: "Les clés de l’équipe",
        none: "L’équipe n’a pas encore de clé.",
        ofFiles: "Clés des fichiers des apps",
        ofFilesNote: "Elles signent les offres promotionnelles de leur app, et rien d’autre.",
        madeBy: "créée par {user} le {date}",
        revokedOn: "révoquée le {date}",
        revoke: "Révoquer",
        revoked: "La clé est révoquée.",
        made: "La clé « {name} »",
        madeNote: """
            Enregistrez maintenant la clé privée dans un fichier, et gardez-la secrète. Elle ne sera plus montrée. Qui \
            la possède agit avec les droits de la clé.
            """,
        file: "Clé privée (.p8)",
        identifier: "Identifiant de la clé",
        issuer: "Identifiant de l’émetteur")

    func name(_ purpose: TeamKey.Purpose) -> String {
        switch purpose {
        case .inAppPurchase: inAppPurchase
        case .connect: connect
        }
    }
}
