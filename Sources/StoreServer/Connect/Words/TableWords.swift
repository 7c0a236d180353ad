// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the page of a table of prices and texts.
struct TableWords: PageWords {
    var title: String
    var download: String
    var downloadNote: String
    var downloadLink: String
    var upload: String
    var uploadNote: String
    var fileHint: String
    /// `{name}` is the file’s.
    var nothing: String
    /// `{name}` and `{count}`.
    var changesOf: String
    var apply: String
    var problemsNote: String
    /// `{line}`.
    var line: String
    /// `{line}` and `{column}`.
    var cell: String
    var openQuote: String
    var afterQuote: String
    /// `{limit}`, as in all that follow.
    var tooManyRows: String
    var tooManyColumns: String
    var noIdentifiers: String
    var unknownColumn: String
    var repeatedColumn: String
    var extraCells: String
    var unknownProduct: String
    var repeatedProduct: String
    var missing: String
    var malformed: String
    var tooLong: String
    var price: String
    var fixedPrice: String
    var tooLarge: String

    static let english = TableWords(
        title: "Table of prices and texts",
        download: "1. Download",
        downloadNote: """
            A row for each product, sold or not. Edit it in a spreadsheet, and save it as CSV in UTF\u{2011}8.
            """,
        downloadLink: "Download the table",
        upload: "2. Upload",
        uploadNote: """
            Nothing changes until you have seen the differences. Rows and columns that you leave out keep their values. \
            A column price:DEU has a country’s own price, name:fr_FR and description:fr_FR have the texts of a language; \
            an empty cell removes them.
            """,
        fileHint: "A CSV file, at most 2 MB. It can be dropped here.",
        nothing: "{name} changes nothing.",
        changesOf: "Changed products of {name}: {count}.",
        apply: "Save all",
        problemsNote: "Nothing can be saved. Correct these cells in the table, and upload it again.",
        line: "Line {line}",
        cell: "Line {line}, {column}",
        openQuote: "A quotation mark isn’t closed.",
        afterQuote: "There is text behind a closing quotation mark.",
        tooManyRows: "A table has at most {limit} rows.",
        tooManyColumns: "A table has at most {limit} columns.",
        noIdentifiers: "This column is missing.",
        unknownColumn: "There is no such column, country or language.",
        repeatedColumn: "This column is there twice.",
        extraCells: "The row has more cells than there are columns ({limit}).",
        unknownProduct: "The app has no such product.",
        repeatedProduct: "This product has an earlier row.",
        missing: "This is required.",
        malformed: "This contains a character that can’t be shown.",
        tooLong: "At most {limit} characters are possible.",
        price: "This isn’t a price, such as 1.99.",
        fixedPrice: "The price of a subscription is changed on its page Prices.",
        tooLarge: "The app would have more than {limit} MB of texts, prices and offers.")

    static let german = TableWords(
        title: "Tabelle mit Preisen und Texten",
        download: "1. Herunterladen",
        downloadNote: """
            Eine Zeile für jedes Produkt, ob im Verkauf oder nicht. Bearbeiten Sie sie in einer Tabellenkalkulation, und \
            speichern Sie sie als CSV in UTF\u{2011}8.
            """,
        downloadLink: "Die Tabelle herunterladen",
        upload: "2. Hochladen",
        uploadNote: """
            Es ändert sich nichts, bevor Sie die Unterschiede gesehen haben. Zeilen und Spalten, die Sie weglassen, \
            behalten ihre Werte. Eine Spalte price:DEU hat den eigenen Preis eines Landes, name:fr_FR und \
            description:fr_FR haben die Texte einer Sprache; eine leere Zelle entfernt sie.
            """,
        fileHint: "Eine CSV-Datei, höchstens 2 MB. Sie kann auch hierher gezogen werden.",
        nothing: "{name} ändert nichts.",
        changesOf: "Geänderte Produkte in {name}: {count}.",
        apply: "Alle speichern",
        problemsNote: """
            Es kann nichts gespeichert werden. Berichtigen Sie diese Zellen in der Tabelle, und laden Sie sie noch \
            einmal hoch.
            """,
        line: "Zeile {line}",
        cell: "Zeile {line}, {column}",
        openQuote: "Ein Anführungszeichen wird nicht geschlossen.",
        afterQuote: "Hinter einem schließenden Anführungszeichen steht Text.",
        tooManyRows: "Eine Tabelle hat höchstens {limit} Zeilen.",
        tooManyColumns: "Eine Tabelle hat höchstens {limit} Spalten.",
        noIdentifiers: "Diese Spalte fehlt.",
        unknownColumn: "Diese Spalte, dieses Land oder diese Sprache gibt es nicht.",
        repeatedColumn: "Diese Spalte ist zweimal da.",
        extraCells: "Die Zeile hat mehr Zellen, als es Spalten gibt ({limit}).",
        unknownProduct: "Die App hat kein solches Produkt.",
        repeatedProduct: "Dieses Produkt hat schon eine Zeile.",
        missing: "Dies wird gebraucht.",
        malformed: "Dies enthält ein Zeichen, das sich nicht zeigen lässt.",
        tooLong: "Möglich sind höchstens {limit} Zeichen.",
        price: "Dies ist kein Preis wie 1.99.",
        fixedPrice: "Den Preis eines Abos ändert seine Seite Preise.",
        tooLarge: "Die App hätte mehr als {limit} MB an Texten, Preisen und Angeboten.")

    static let french = TableWords(
        title: "Tableau de prix et de textes",
        download: "1. Télécharger",
        downloadNote: """
            Une ligne par produit, en vente ou non. Modifiez-le dans un tableur, puis enregistrez-le en CSV, en UTF\u{2011}8.
            """,
        downloadLink: "Télécharger le tableau",
        upload: "2. Envoyer",
        uploadNote: """
            Rien ne change avant que vous ayez vu les différences. Les lignes et colonnes omises gardent leurs valeurs. \
            Une colonne price:DEU donne le prix propre à un pays, name:fr_FR et description:fr_FR les textes d’une \
            langue ; une cellule vide les supprime.
            """,
        fileHint: "Un fichier CSV, au plus 2 Mo. Vous pouvez aussi le déposer ici.",
        nothing: "{name} ne change rien.",
        changesOf: "Produits modifiés dans {name} : {count}.",
        apply: "Tout enregistrer",
        problemsNote: """
            Rien ne peut être enregistré. Corrigez ces cellules dans le tableau, puis envoyez-le à nouveau.
            """,
        line: "Ligne {line}",
        cell: "Ligne {line}, {column}",
        openQuote: "Un guillemet n’est pas fermé.",
        afterQuote: "Il y a du texte après un guillemet fermant.",
        tooManyRows: "Un tableau a au plus {limit} lignes.",
        tooManyColumns: "Un tableau a au plus {limit} colonnes.",
        noIdentifiers: "Cette colonne manque.",
        unknownColumn: "Cette colonne, ce pays ou cette langue n’existe pas.",
        repeatedColumn: "Cette colonne est présente deux fois.",
        extraCells: "La ligne a plus de cellules qu’il n’y a de colonnes ({limit}).",
        unknownProduct: "L’app n’a pas ce produit.",
        repeatedProduct: "Ce produit a déjà une ligne.",
        missing: "Ceci est nécessaire.",
        malformed: "Ceci contient un caractère qui ne peut pas être affiché.",
        tooLong: "Au plus {limit} caractères sont possibles.",
        price: "Ceci n’est pas un prix comme 1.99.",
        fixedPrice: "Le prix d’un abonnement se change sur sa page Tarifs.",
        tooLarge: "L’app aurait plus de {limit} Mo de textes, de prix et d’offres.")

    /// The place of a problem in the file.
    func place(of problem: TableDiff.Problem) -> String {
        let line = String(problem.line)
        guard let column = problem.column else { return fill(\.line, ["line": line]) }
        return fill(\.cell, ["line": line, "column": ChangeList.shortened(column).isolated])
    }

    func sentence(_ problem: TableDiff.Problem) -> String {
        let text: KeyPath<TableWords, String> =
            switch problem.kind {
            case .openQuote: \.openQuote
            case .afterQuote: \.afterQuote
            case .tooManyRows: \.tooManyRows
            case .tooManyColumns: \.tooManyColumns
            case .noIdentifiers: \.noIdentifiers
            case .unknownColumn: \.unknownColumn
            case .repeatedColumn: \.repeatedColumn
            case .extraCells: \.extraCells
            case .unknownProduct: \.unknownProduct
            case .repeatedProduct: \.repeatedProduct
            case .missing: \.missing
            case .malformed: \.malformed
            case .tooLong: \.tooLong
            case .price: \.price
            case .fixedPrice: \.fixedPrice
            case .tooLarge: \.tooLarge
            }
        return fill(text, ["limit": problem.limit.map(String.init) ?? ""])
    }
}
