// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the pages of items other than apps.
struct TeamItemWords: PageWords {
    var search: String
    var kind: String
    var allKinds: String
    var none: String
    var new: String
    var newNote: String
    var add: String
    var edit: String
    var song: String
    var album: String
    var movie: String
    var book: String
    var podcast: String
    var version: String
    var versionHint: String
    var link: String
    var linkHint: String
    var price: String
    var priceHint: String
    var firstDay: String
    var firstDayHint: String
    var page: String
    var publicNote: String
    var contractNote: String
    var icon: String
    var iconHint: String
    var screenshots: String
    var screenshotsHint: String
    /// `{number}`.
    var screenshot: String
    var fileHint: String

    static let english = TeamItemWords(
        search: "Name or number",
        kind: "Kind",
        allKinds: "All kinds",
        none: "Your team sells no songs, albums, movies, books or podcasts yet. Register one.",
        new: "New item",
        newNote: "The store gives the item a number. The item has a page of its own as soon as it is registered.",
        add: "Register",
        edit: "Change the item",
        song: "Song",
        album: "Album",
        movie: "Movie",
        book: "Book",
        podcast: "Podcast",
        version: "Version",
        versionHint: "At most 40 characters, such as 1.0. A purchase keeps the version that the item has then.",
        link: "Link",
        linkHint: "An https address at which customers find the item after the purchase.",
        price: "Price",
        priceHint: "A decimal such as 0.99, in the currency of each country; 0 is free.",
        firstDay: "First day of the sale",
        firstDayHint: "It begins at midnight (UTC) by the store’s clock. Empty for now.",
        page: "The item’s page",
        publicNote: "Customers find the item at its number.",
        contractNote: "Customers can buy it while the contract of your team is in force (page Agreements).",
        icon: "Icon",
        iconHint: "Customers see it on the item’s page.",
        screenshots: "Screenshots",
        screenshotsHint: "The item’s page shows at most 8, in this order.",
        screenshot: "Screenshot {number}",
        fileHint: "PNG, JPEG or WebP. All images of an item have at most 5 MB.")

    static let german = TeamItemWords(
        search: "Name oder Nummer",
        kind: "Art",
        allKinds: "Alle Arten",
        none: "Ihr Team verkauft noch keine Lieder, Alben, Filme, Bücher oder Podcasts. Registrieren Sie etwas.",
        new: "Neuer Artikel",
        newNote:
            "Der Store gibt dem Artikel eine Nummer. Der Artikel hat eine eigene Seite, sobald er registriert ist.",
        add: "Registrieren",
        edit: "Den Artikel ändern",
        song: "Lied",
        album: "Album",
        movie: "Film",
        book: "Buch",
        podcast: "Podcast",
        version: "Version",
        versionHint: "Höchstens 40 Zeichen, etwa 1.0. Ein Kauf behält die Version, die der Artikel dabei hat.",
        link: "Link",
        linkHint: "Eine https-Adresse, an der Kunden den Artikel nach dem Kauf finden.",
        price: "Preis",
        priceHint: "Eine Dezimalzahl wie 0.99, in der Währung jedes Landes; 0 ist kostenlos.",
        firstDay: "Erster Verkaufstag",
        firstDayHint: "Er beginnt um Mitternacht (UTC) nach der Uhr des Stores. Leer für sofort.",
        page: "Die Seite des Artikels",
        publicNote: "Kunden finden den Artikel unter seiner Nummer.",
        contractNote: "Kunden können ihn kaufen, solange der Vertrag Ihres Teams gilt (Seite Verträge).",
        icon: "Symbol",
        iconHint: "Kunden sehen es auf der Seite des Artikels.",
        screenshots: "Bildschirmfotos",
        screenshotsHint: "Die Seite des Artikels zeigt höchstens 8, in dieser Reihenfolge.",
        screenshot: "Bildschirmfoto {number}",
        fileHint: "PNG, JPEG oder WebP. Alle Bilder eines Artikels haben höchstens 5 MB.")

    static let french = TeamItemWords(
        search: "Nom ou numéro",
        kind: "Genre",
        allKinds: "Tous les genres",
        none: "Votre équipe ne vend encore ni morceau, ni album, ni film, ni livre, ni podcast. Enregistrez-en un.",
        new: "Nouvel article",
        newNote: """
            La boutique donne un numéro à l’article. L’article a sa propre page dès qu’il est enregistré.
            """,
        add: "Enregistrer",
        edit: "Modifier l’article",
        song: "Morceau",
        album: "Album",
        movie: "Film",
        book: "Livre",
        podcast: "Podcast",
        version: "Version",
        versionHint: "40 caractères au plus, comme 1.0. Un achat garde la version que l’article a alors.",
        link: "Lien",
        linkHint: "Une adresse https où les clients trouvent l’article après l’achat.",
        price: "Prix",
        priceHint: "Un nombre décimal comme 0.99, dans la monnaie de chaque pays ; 0 est gratuit.",
        firstDay: "Premier jour de vente",
        firstDayHint: "Il commence à minuit (UTC) à l’horloge de la boutique. Vide pour maintenant.",
        page: "La page de l’article",
        publicNote: "Les clients trouvent l’article à son numéro.",
        contractNote:
            "Les clients peuvent l’acheter tant que le contrat de votre équipe est en vigueur (page Contrats).",
        icon: "Icône",
        iconHint: "Les clients la voient sur la page de l’article.",
        screenshots: "Captures d’écran",
        screenshotsHint: "La page de l’article en montre 8 au plus, dans cet ordre.",
        screenshot: "Capture d’écran {number}",
        fileHint: "PNG, JPEG ou WebP. Toutes les images d’un article ont 5 Mo au plus.")

    func name(_ kind: Item.Kind) -> String {
        switch kind {
        case .app: "App"
        case .song: song
        case .album: album
        case .movie: movie
        case .book: book
        case .podcast: podcast
        }
    }

    /// The choices of the kind.
    var kinds: [ConsoleOption] {
        Item.kindsOfTeams.map { ConsoleOption($0.rawValue, name($0)) }
    }
}
