// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the pages of images and promoted products.
struct ImageWords: PageWords {
    var images: String
    var promotion: String
    var none: String
    var add: String
    var replace: String
    var remove: String
    var file: String
    var fileHint: String
    /// `{width}` and `{height}` are in pixels.
    var sizeIs: String
    var icon: String
    var iconHint: String
    var promotionImage: String
    var promotionHint: String
    var review: String
    var reviewHint: String
    var promote: String
    var promoteNote: String
    var isPromoted: String
    var promoted: String
    var promotedNote: String
    var noPromoted: String
    var hiddenNote: String
    var up: String
    var down: String
    var hide: String
    var show: String
    var end: String

    static let english = ImageWords(
        images: "Images",
        promotion: "Icon and promotion",
        none: "There is none yet.",
        add: "Add the image",
        replace: "Replace the image",
        remove: "Remove the image",
        file: "Image",
        fileHint: "PNG or JPEG, at most 5 MB.",
        sizeIs: "{width} × {height} pixels",
        icon: "Icon",
        iconHint: "The icon of the app on the store’s pages: 1024 × 1024 pixels, without transparency.",
        promotionImage: "Image for the promotion",
        promotionHint: """
            Customers see it on the page of the app: 1024 × 1024 pixels, without transparency. Each product \
            has its own.
            """,
        review: "Screenshot for the review",
        reviewHint: """
            It shows the product in the app. Only your team and the operator see it: at least 640 × 920 \
            pixels.
            """,
        promote: "Promote the product",
        promoteNote: "It is shown on the page of the app, after the products that are promoted already.",
        isPromoted: "The page of the app promotes the product.",
        promoted: "Promoted products",
        promotedNote: """
            The page of the app shows at most 20 of them, in this order. A hidden product is shown only on \
            devices on which the app asks for it.
            """,
        noPromoted: "No product is promoted. Add an image on the page of a product first.",
        hiddenNote: "hidden",
        up: "Up",
        down: "Down",
        hide: "Hide",
        show: "Show",
        end: "End the promotion")

    static let german = ImageWords(
        images: "Bilder",
        promotion: "Symbol und Werbung",
        none: "Es gibt noch keines.",
        add: "Bild hinzufügen",
        replace: "Bild ersetzen",
        remove: "Bild entfernen",
        file: "Bild",
        fileHint: "PNG oder JPEG, höchstens 5 MB.",
        sizeIs: "{width} × {height} Pixel",
        icon: "Symbol",
        iconHint: "Das Symbol der App auf den Seiten des Stores: 1024 × 1024 Pixel, ohne Transparenz.",
        promotionImage: "Bild für die Werbung",
        promotionHint: """
            Kunden sehen es auf der Seite der App: 1024 × 1024 Pixel, ohne Transparenz. Jedes Produkt hat \
            ein eigenes.
            """,
        review: "Bildschirmfoto für die Prüfung",
        reviewHint: """
            Es zeigt das Produkt in der App. Nur Ihr Team und der Betreiber sehen es: mindestens 640 × 920 \
            Pixel.
            """,
        promote: "Produkt bewerben",
        promoteNote: "Es steht auf der Seite der App hinter den Produkten, die schon beworben werden.",
        isPromoted: "Die Seite der App bewirbt das Produkt.",
        promoted: "Beworbene Produkte",
        promotedNote: """
            Die Seite der App zeigt höchstens 20, in dieser Reihenfolge. Ein verborgenes Produkt erscheint \
            nur auf Geräten, auf denen die App darum bittet.
            """,
        noPromoted: "Es wird kein Produkt beworben. Fügen Sie zuerst auf der Seite eines Produkts ein Bild hinzu.",
        hiddenNote: "verborgen",
        up: "Nach oben",
        down: "Nach unten",
        hide: "Verbergen",
        show: "Zeigen",
        end: "Nicht mehr bewerben")

    static let french = ImageWords(
        images: "Images",
        promotion: "Icône et promotion",
        none: "Il n’y en a pas encore.",
        add: "Ajouter l’image",
        replace: "Remplacer l’image",
        remove: "Supprimer l’image",
        file: "Image",
        fileHint: "PNG ou JPEG, 5 Mo au plus.",
        sizeIs: "{width} × {height} pixels",
        icon: "Icône",
        iconHint: "L’icône de l’app sur les pages de la boutique : 1024 × 1024 pixels, sans transparence.",
        promotionImage: "Image de promotion",
        promotionHint: """
            Les clients la voient sur la page de l’app : 1024 × 1024 pixels, sans transparence. Chaque \
            produit a la sienne.
            """,
        review: "Capture d’écran pour l’examen",
        reviewHint: """
            Elle montre le produit dans l’app. Seuls votre équipe et l’exploitant la voient : au moins 640 \
            × 920 pixels.
            """,
        promote: "Mettre le produit en avant",
        promoteNote: "Il figure sur la page de l’app, après les produits déjà mis en avant.",
        isPromoted: "La page de l’app met ce produit en avant.",
        promoted: "Produits mis en avant",
        promotedNote: """
            La page de l’app en montre 20 au plus, dans cet ordre. Un produit masqué n’apparaît que sur les \
            appareils où l’app le demande.
            """,
        noPromoted: "Aucun produit n’est mis en avant. Ajoutez d’abord une image sur la page d’un produit.",
        hiddenNote: "masqué",
        up: "Monter",
        down: "Descendre",
        hide: "Masquer",
        show: "Montrer",
        end: "Ne plus mettre en avant")

    /// The heading of an image of a purpose, and the sentence about it.
    func texts(_ purpose: RegistrationImage.Purpose) -> (heading: String, hint: String) {
        switch purpose {
        case .icon: (icon, iconHint)
        case .promotion: (promotionImage, promotionHint)
        case .review: (review, reviewHint)
        }
    }
}
