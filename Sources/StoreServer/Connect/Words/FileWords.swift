// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the page of an app's `.storekit` file.
struct FileWords: PageWords {
    var title: String
    var several: String
    var upload: String
    var uploadNote: String
    var file: String
    var fileHint: String
    var others: String
    var keepOthers: String
    var withdrawOthers: String
    var compare: String
    var changes: String
    /// `{name}` is the file’s.
    var nothing: String
    /// `{name}` and `{count}`.
    var changesOf: String
    var keeps: String
    var withdraws: String
    /// `{products}` is a list.
    var incomplete: String
    /// `{count}`.
    var more: String
    /// `{count}`.
    var moreValues: String
    var apply: String
    var discard: String
    var imported: String
    var discarded: String
    var download: String
    var downloadNote: String
    var downloadLink: String
    var problems: String
    var problemsNote: String
    /// `{subject}`, `{value}` and `{limit}`.
    var fixed: String
    var sharing: String
    var taken: String
    var identifier: String
    var tooLong: String
    var tooMany: String
    var tooManyGroups: String
    var tooManyLanguages: String
    var tooManyKeys: String
    var tooLarge: String
    /// `{name}` of a group.
    var group: String
    var app: String
    var added: String
    var changed: String
    var withdrawn: String

    static let english = FileWords(
        title: "StoreKit file",
        several: "Several products",
        upload: "Upload a file",
        uploadNote: """
            Nothing changes until you have seen the differences. A new product is submitted to the review on its page.
            """,
        file: "File",
        fileHint: "A .storekit file of Xcode, at most 2 MB. It can be dropped here.",
        others: "Products that the file lacks",
        keepOthers: "Leave them as they are",
        withdrawOthers: "Take them off sale",
        compare: "Compare",
        changes: "Changes",
        nothing: "{name} changes nothing: the app is as the file says.",
        changesOf: "Changes of {name}: {count}. Subscribers keep their price.",
        keeps: "Products that the file lacks stay as they are.",
        withdraws: "Products that the file lacks are taken off sale.",
        incomplete: "Not sold until they have a display name and a description in one language: {products}.",
        more: "And {count} more.",
        moreValues: "And {count} more values.",
        apply: "Import",
        discard: "Discard the file",
        imported: "The file is imported.",
        discarded: "The file is discarded. Nothing was changed.",
        download: "Download",
        downloadNote: """
            The products that are sold, as a file for Xcode. It keeps everything of the file that was imported last, \
            also a key of promotional offers.
            """,
        downloadLink: "Download the file",
        problems: "Not possible",
        problemsNote: "Correct these values in the file, and upload it again.",
        fixed: "{subject}: {value} of a registered product stays as it is.",
        sharing: "{subject}: Family Sharing can’t be turned off again.",
        taken: "{subject}: another app of your team has, or had, this product identifier.",
        identifier:
            "{subject}: a product identifier has at most 100 letters, digits, hyphens, periods and underscores.",
        tooLong: "{subject}: {value} has more than {limit} characters.",
        tooMany: "An app has at most {limit} products.",
        tooManyGroups: "An app has at most {limit} groups of subscriptions.",
        tooManyLanguages: "The products and groups of an app have at most {limit} languages together.",
        tooManyKeys: """
            {limit} keys of the app’s files were revoked. Leave the key out of the file, and sign offers by a key of the \
            team.
            """,
        tooLarge: "An app has at most {limit} MB of texts, prices and offers.",
        group: "Group {name}",
        app: "The app",
        added: "new",
        changed: "changed",
        withdrawn: "taken off sale")

    static let german = FileWords(
        title: "StoreKit-Datei",
        several: "Mehrere Produkte",
        upload: "Eine Datei hochladen",
        uploadNote: """
            Es ändert sich nichts, bevor Sie die Unterschiede gesehen haben. Ein neues Produkt wird auf seiner Seite zur \
            Prüfung eingereicht.
            """,
        file: "Datei",
        fileHint: "Eine .storekit-Datei von Xcode, höchstens 2 MB. Sie kann auch hierher gezogen werden.",
        others: "Produkte, die in der Datei fehlen",
        keepOthers: "So lassen, wie sie sind",
        withdrawOthers: "Aus dem Verkauf nehmen",
        compare: "Vergleichen",
        changes: "Änderungen",
        nothing: "{name} ändert nichts: Die App ist schon so, wie die Datei es sagt.",
        changesOf: "Änderungen durch {name}: {count}. Abonnenten behalten ihren Preis.",
        keeps: "Produkte, die in der Datei fehlen, bleiben, wie sie sind.",
        withdraws: "Produkte, die in der Datei fehlen, werden aus dem Verkauf genommen.",
        incomplete: """
            Nicht im Verkauf, bis sie in einer Sprache einen Anzeigenamen und eine Beschreibung haben: {products}.
            """,
        more: "Und {count} weitere.",
        moreValues: "Und {count} weitere Werte.",
        apply: "Importieren",
        discard: "Datei verwerfen",
        imported: "Die Datei ist importiert.",
        discarded: "Die Datei ist verworfen. Es hat sich nichts geändert.",
        download: "Herunterladen",
        downloadNote: """
            Die Produkte im Verkauf als Datei für Xcode. Sie behält alles aus der zuletzt importierten Datei, auch einen \
            Schlüssel für Werbeangebote.
            """,
        downloadLink: "Die Datei herunterladen",
        problems: "Nicht möglich",
        problemsNote: "Berichtigen Sie diese Werte in der Datei, und laden Sie sie noch einmal hoch.",
        fixed: "{subject}: {value} eines registrierten Produkts bleibt, wie es ist.",
        sharing: "{subject}: Die Familienfreigabe lässt sich nicht wieder ausschalten.",
        taken: "{subject}: Eine andere App Ihres Teams hat oder hatte diese Produkt-ID.",
        identifier:
            "{subject}: Eine Produkt-ID hat höchstens 100 Buchstaben, Ziffern, Bindestriche, Punkte und Unterstriche.",
        tooLong: "{subject}: {value} hat mehr als {limit} Zeichen.",
        tooMany: "Eine App hat höchstens {limit} Produkte.",
        tooManyGroups: "Eine App hat höchstens {limit} Abogruppen.",
        tooManyLanguages: "Die Produkte und Gruppen einer App haben zusammen höchstens {limit} Sprachen.",
        tooManyKeys: """
            {limit} Schlüssel aus Dateien der App wurden widerrufen. Lassen Sie den Schlüssel in der Datei weg, und \
            signieren Sie Angebote mit einem Schlüssel des Teams.
            """,
        tooLarge: "Eine App hat höchstens {limit} MB an Texten, Preisen und Angeboten.",
        group: "Gruppe {name}",
        app: "Die App",
        added: "neu",
        changed: "geändert",
        withdrawn: "aus dem Verkauf")

    static let french = FileWords(
        title: "Fichier StoreKit",
        several: "Plusieurs produits",
        upload: "Envoyer un fichier",
        uploadNote: """
            Rien ne change avant que vous ayez vu les différences. Un nouveau produit est soumis à l’examen sur sa page.
            """,
        file: "Fichier",
        fileHint: "Un fichier .storekit de Xcode, au plus 2 Mo. Vous pouvez aussi le déposer ici.",
        others: "Produits absents du fichier",
        keepOthers: "Les laisser tels quels",
        withdrawOthers: "Les retirer de la vente",
        compare: "Comparer",
        changes: "Modifications",
        nothing: "{name} ne change rien : l’app est déjà comme le dit le fichier.",
        changesOf: "Modifications par {name} : {count}. Les abonnés gardent leur prix.",
        keeps: "Les produits absents du fichier restent tels quels.",
        withdraws: "Les produits absents du fichier sont retirés de la vente.",
        incomplete: "Pas en vente avant d’avoir un nom affiché et une description dans une langue : {products}.",
        more: "Et {count} autres.",
        moreValues: "Et {count} autres valeurs.",
        apply: "Importer",
        discard: "Abandonner le fichier",
        imported: "Le fichier est importé.",
        discarded: "Le fichier est abandonné. Rien n’a changé.",
        download: "Télécharger",
        downloadNote: """
            Les produits en vente, sous forme de fichier pour Xcode. Il garde tout ce que contenait le dernier fichier \
            importé, y compris une clé d’offres promotionnelles.
            """,
        downloadLink: "Télécharger le fichier",
        problems: "Impossible",
        problemsNote: "Corrigez ces valeurs dans le fichier, puis envoyez-le à nouveau.",
        fixed: "{subject} : {value} d’un produit enregistré ne change pas.",
        sharing: "{subject} : le partage familial ne peut plus être désactivé.",
        taken: "{subject} : une autre app de votre équipe a ou avait cet identifiant de produit.",
        identifier: """
            {subject} : un identifiant de produit a au plus 100 lettres, chiffres, tirets, points et traits de \
            soulignement.
            """,
        tooLong: "{subject} : {value} a plus de {limit} caractères.",
        tooMany: "Une app a au plus {limit} produits.",
        tooManyGroups: "Une app a au plus {limit} groupes d’abonnements.",
        tooManyLanguages: "Les produits et les groupes d’une app ont ensemble au plus {limit} langues.",
        tooManyKeys: """
            {limit} clés des fichiers de l’app ont été révoquées. Retirez la clé du fichier, et signez les offres avec une \
            clé de l’équipe.
            """,
        tooLarge: "Une app a au plus {limit} Mo de textes, de prix et d’offres.",
        group: "Groupe {name}",
        app: "L’app",
        added: "nouveau",
        changed: "modifié",
        withdrawn: "retiré de la vente")

    func name(_ subject: AppFileDiff.Subject) -> String {
        switch subject {
        case .product(let identifier): identifier.rawValue
        case .group(let identifier): fill(\.group, ["name": identifier.rawValue])
        case .app: app
        }
    }

    func name(_ kind: AppFileDiff.Change.Kind) -> String {
        switch kind {
        case .added: added
        case .changed: changed
        case .withdrawn: withdrawn
        }
    }

    /// The sentence of a problem.
    func sentence(_ problem: AppFileDiff.Problem, in language: PageLanguage) -> String {
        let text: KeyPath<FileWords, String> =
            switch problem.kind {
            case .fixed: \.fixed
            case .sharing: \.sharing
            case .taken: \.taken
            case .identifier: \.identifier
            case .tooLong: \.tooLong
            case .tooMany: \.tooMany
            case .tooManyGroups: \.tooManyGroups
            case .tooManyLanguages: \.tooManyLanguages
            case .tooManyKeys: \.tooManyKeys
            case .tooLarge: \.tooLarge
            }
        let value = problem.value.map { ValueWords.words(language).name($0, in: language) } ?? ""
        return fill(
            text,
            [
                "subject": ChangeList.shortened(name(problem.subject)).isolated, "value": value,
                "limit": problem.limit.map(String.init) ?? "",
            ])
    }
}
