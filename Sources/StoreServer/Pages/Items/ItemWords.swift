// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the public page of an item, and of its order.
struct ItemWords: PageWords {
    var app: String
    var song: String
    var album: String
    var movie: String
    var book: String
    var podcast: String
    var seller: String
    var version: String
    var about: String
    var screenshots: String
    var promoted: String
    var top: String
    /// How a product of the list is bought.
    var inApp: String
    var buyFor: String
    var get: String
    /// The button that leads to the sheet on which a promo code is typed.
    var redeem: String
    var free: String
    var notSold: String
    /// Of an app without a released version.
    var notYet: String
    /// `{day}`.
    var soldFrom: String
    var iconText: String
    var screenshotText: String
    /// The link that opens the app with a product, and its name for screen
    /// readers, which begins with the link's text.
    var buyInApp: String
    var openInApp: String
    var owned: String
    var ownedTitle: String
    var open: String

    subscript(kind: Item.Kind) -> String {
        switch kind {
        case .app: app
        case .song: song
        case .album: album
        case .movie: movie
        case .book: book
        case .podcast: podcast
        }
    }

    /// The text of the button that orders an item.
    func button(_ price: Money, _ language: PageLanguage) -> String {
        price.milliunits == 0 ? get : fill(\.buyFor, ["price": language.price(price)])
    }

    static let english = ItemWords(
        app: "App", song: "Song", album: "Album", movie: "Movie", book: "Book", podcast: "Podcast", seller: "Seller",
        version: "Version", about: "Description", screenshots: "Screenshots", promoted: "Recommended by the seller",
        top: "Top in-app purchases",
        inApp: "These are bought in the app. “Buy” opens the app, where it is installed on this device.",
        buyFor: "Buy for {price}", get: "Get it for free", redeem: "Redeem a code", free: "Free",
        notSold: "This isn’t sold in your country.", notYet: "This isn’t sold yet.",
        soldFrom: "This is sold from {day} on.", iconText: "Icon of {title}", screenshotText: "Screenshot {number}",
        buyInApp: "Buy",
        openInApp: "Buy {title} in the app", owned: "You own this already. Nothing was charged.",
        ownedTitle: "Already yours", open: "Open it at the seller’s")

    static let german = ItemWords(
        app: "App", song: "Lied", album: "Album", movie: "Film", book: "Buch", podcast: "Podcast",
        seller: "Verkäufer", version: "Version", about: "Beschreibung", screenshots: "Bildschirmfotos",
        promoted: "Vom Verkäufer empfohlen", top: "Beliebteste In-App-Käufe",
        inApp: "Diese werden in der App gekauft. „Kaufen“ öffnet die App, wenn sie auf diesem Gerät installiert ist.",
        buyFor: "Für {price} kaufen", get: "Kostenlos laden", redeem: "Code einlösen", free: "Kostenlos",
        notSold: "Das wird in Ihrem Land nicht verkauft.", notYet: "Das wird noch nicht verkauft.",
        soldFrom: "Das wird ab {day} verkauft.", iconText: "Symbol von {title}",
        screenshotText: "Bildschirmfoto {number}", buyInApp: "Kaufen",
        openInApp: "Kaufen: {title}, in der App",
        owned: "Das gehört Ihnen schon. Es wurde nichts berechnet.", ownedTitle: "Gehört Ihnen schon",
        open: "Beim Verkäufer öffnen")

    static let french = ItemWords(
        app: "App", song: "Morceau", album: "Album", movie: "Film", book: "Livre", podcast: "Podcast",
        seller: "Vendeur", version: "Version", about: "Description", screenshots: "Captures d’écran",
        promoted: "Recommandés par le vendeur", top: "Achats intégrés les plus fréquents",
        inApp: "Ils s’achètent dans l’app. «\u{A0}Acheter\u{A0}» ouvre l’app si elle est installée sur cet appareil.",
        buyFor: "Acheter pour {price}", get: "Obtenir gratuitement", redeem: "Utiliser un code",
        free: "Gratuit",
        notSold: "Ceci n’est pas vendu dans votre pays.", notYet: "Ceci n’est pas encore vendu.",
        soldFrom: "Ceci est vendu à partir du {day}.", iconText: "Icône de {title}",
        screenshotText: "Capture d’écran {number}", buyInApp: "Acheter",
        openInApp: "Acheter {title} dans l’app",
        owned: "Ceci vous appartient déjà. Rien n’a été débité.", ownedTitle: "Déjà à vous",
        open: "Ouvrir chez le vendeur")
}
