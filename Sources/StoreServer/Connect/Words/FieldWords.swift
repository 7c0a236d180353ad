// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The sentences beside a field whose value can't be saved.
struct FieldWords: PageWords {
    var missing: String
    var tooShort: String
    var tooLong: String
    var malformed: String
    var taken: String
    var unknown: String
    var wrong: String
    /// `{limit}` is in megabytes.
    var fileTooLarge: String
    var wrongSize: String
    var transparent: String
    var outOfRange: String
    var tooHigh: String
    var past: String
    var tooFar: String
    var tooLarge: String
    var notPackage: String
    /// `{detail}` is the store’s sentence about the package, in English.
    var refusedPackage: String
    /// `{detail}` is a product.
    var otherProduct: String
    var otherBytes: String
    var overQuota: String
    var diskFull: String
    /// `{detail}` is a product.
    var sold: String
    /// Above a form with such fields.
    var several: String

    static let english = FieldWords(
        missing: "This is required.",
        tooShort: "Type at least {limit} characters.",
        tooLong: "Type at most {limit} characters.",
        malformed: "This isn’t in the expected form.",
        taken: "This is taken already.",
        unknown: "There is no such value.",
        wrong: "This is wrong.",
        fileTooLarge: "The file is too large: choose one of at most {limit} MB.",
        wrongSize: "The image has another width or height than it needs.",
        transparent: "The image has transparency: save it without an alpha channel.",
        outOfRange: "Type a number from 1 to {limit}.",
        tooHigh: "This has to be lower than the product’s price.",
        past: "This day is over.",
        tooFar: "Choose a day within the next {limit} days.",
        tooLarge: "This is too much.",
        notPackage: "This isn’t a package: make one with storectl content pack.",
        refusedPackage: "The store refuses the package: {detail}",
        otherProduct: "The package is of the product {detail}: choose one of this product.",
        otherBytes: """
            This version is published with other files: give the package another ContentVersion, or remove the \
            version first.
            """,
        overQuota:
            "The content of the app, or of all apps of your team, would be larger than it may be: remove a version first.",
        diskFull: "The store has no room for the file now: try again later, or ask the store’s operator.",
        sold: "Take the products of the app off sale first: {detail} is for sale.",
        several: "Nothing was saved. Correct the marked fields, and try again.")

    static let german = FieldWords(
        missing: "Dies ist erforderlich.",
        tooShort: "Geben Sie mindestens {limit} Zeichen ein.",
        tooLong: "Geben Sie höchstens {limit} Zeichen ein.",
        malformed: "Dies hat nicht die erwartete Form.",
        taken: "Dies ist schon vergeben.",
        unknown: "Diesen Wert gibt es nicht.",
        wrong: "Dies ist falsch.",
        fileTooLarge: "Die Datei ist zu groß: Wählen Sie eine mit höchstens {limit} MB.",
        wrongSize: "Das Bild hat nicht die nötige Breite oder Höhe.",
        transparent: "Das Bild hat Transparenz: Speichern Sie es ohne Alphakanal.",
        outOfRange: "Geben Sie eine Zahl von 1 bis {limit} ein.",
        tooHigh: "Dies muss niedriger sein als der Preis des Produkts.",
        past: "Dieser Tag ist vorbei.",
        tooFar: "Wählen Sie einen der nächsten {limit} Tage.",
        tooLarge: "Dies ist zu viel.",
        notPackage: "Dies ist kein Paket: Erzeugen Sie eines mit storectl content pack.",
        refusedPackage: "Der Store lehnt das Paket ab: {detail}",
        otherProduct: "Das Paket gehört zum Produkt {detail}: Wählen Sie eines dieses Produkts.",
        otherBytes: """
            Diese Version ist mit anderen Dateien veröffentlicht: Geben Sie dem Paket eine andere ContentVersion, oder \
            entfernen Sie erst die Version.
            """,
        overQuota:
            "Der Inhalt der App oder aller Apps Ihres Teams wäre größer, als er sein darf: Entfernen Sie erst eine Version.",
        diskFull: """
            Der Store hat jetzt keinen Platz für die Datei: Versuchen Sie es später noch einmal, oder fragen Sie \
            seinen Betreiber.
            """,
        sold: "Nehmen Sie erst die Produkte der App aus dem Verkauf: {detail} wird verkauft.",
        several: "Es wurde nichts gespeichert. Berichtigen Sie die markierten Felder, und speichern Sie noch einmal.")

    static let french = FieldWords(
        missing: "Ceci est obligatoire.",
        tooShort: "Saisissez au moins {limit} caractères.",
        tooLong: "Saisissez au plus {limit} caractères.",
        malformed: "Ceci n’a pas la forme attendue.",
        taken: "Ceci est déjà pris.",
        unknown: "Cette valeur n’existe pas.",
        wrong: "Ceci est incorrect.",
        fileTooLarge: "Le fichier est trop grand : choisissez-en un de {limit} Mo au plus.",
        wrongSize: "L’image n’a pas la largeur ou la hauteur voulue.",
        transparent: "L’image est transparente : enregistrez-la sans canal alpha.",
        outOfRange: "Saisissez un nombre de 1 à {limit}.",
        tooHigh: "Ceci doit être inférieur au prix du produit.",
        past: "Ce jour est passé.",
        tooFar: "Choisissez un jour parmi les {limit} prochains.",
        tooLarge: "C’est trop.",
        notPackage: "Ceci n’est pas un paquet : créez-en un avec storectl content pack.",
        refusedPackage: "La boutique refuse le paquet : {detail}",
        otherProduct: "Le paquet est du produit {detail} : choisissez-en un de ce produit.",
        otherBytes: """
            Cette version est publiée avec d’autres fichiers : donnez au paquet une autre ContentVersion, ou \
            supprimez d’abord la version.
            """,
        overQuota:
            "Le contenu de l’app, ou de toutes les apps de votre équipe, serait plus grand qu’il ne peut l’être : supprimez d’abord une version.",
        diskFull: """
            La boutique n’a pas de place pour le fichier maintenant : réessayez plus tard, ou demandez à son exploitant.
            """,
        sold: "Retirez d’abord les produits de l’app de la vente : {detail} est en vente.",
        several: "Rien n’a été enregistré. Corrigez les champs marqués et réessayez.")

    /// The sentence of a problem.
    func sentence(_ problem: FieldProblem, in language: PageLanguage) -> String {
        let text: KeyPath<FieldWords, String> =
            switch problem.kind {
            case .missing: \.missing
            case .tooShort: \.tooShort
            case .tooLong: \.tooLong
            case .malformed: \.malformed
            case .taken: \.taken
            case .unknown: \.unknown
            case .wrong: \.wrong
            case .fileTooLarge: \.fileTooLarge
            case .tooLarge: \.tooLarge
            case .notPackage: \.notPackage
            case .refusedPackage: \.refusedPackage
            case .otherProduct: \.otherProduct
            case .otherBytes: \.otherBytes
            case .overQuota: \.overQuota
            case .diskFull: \.diskFull
            case .sold: \.sold
            case .wrongSize: \.wrongSize
            case .transparent: \.transparent
            case .outOfRange: \.outOfRange
            case .tooHigh: \.tooHigh
            case .past: \.past
            case .tooFar: \.tooFar
            }
        return fill(
            text,
            ["limit": problem.limit.map(language.number) ?? "", "detail": problem.detail?.isolated ?? ""])
    }

    /// A field with the sentence of its problem, if it has one.
    static func mark(_ field: ConsoleField, _ problems: [FieldProblem], in language: PageLanguage) -> ConsoleField {
        var field = field
        field.problem = problems.first { $0.field == field.name }.map { words(language).sentence($0, in: language) }
        return field
    }
}
