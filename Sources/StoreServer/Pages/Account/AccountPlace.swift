// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The pages of a customer's account that the navigation joins, in its order.
/// A page is one row here, and a text in each language of ``PlaceWords``.
enum AccountPlace: String, CaseIterable, Sendable {
    case purchases = "/account/purchases"
    case subscriptions = "/account/subscriptions"
    case family = "/account/family"
    case payment = "/account/payment"
    case settings = "/account/settings"
    case devices = "/account/devices"
    case sessions = "/account/sessions"
    case password = "/account/password"
    case email = "/account/email"
    case deletion = "/account/delete"

    var name: KeyPath<PlaceWords, String> {
        switch self {
        case .purchases: \.purchases
        case .subscriptions: \.subscriptions
        case .family: \.family
        case .payment: \.payment
        case .settings: \.settings
        case .devices: \.devices
        case .sessions: \.sessions
        case .password: \.password
        case .email: \.email
        case .deletion: \.deletion
        }
    }
}

/// The names of the pages of an account, which are also their titles.
struct PlaceWords: PageWords {
    var purchases: String
    var subscriptions: String
    var family: String
    var payment: String
    var settings: String
    var devices: String
    var sessions: String
    var password: String
    var email: String
    var deletion: String

    static let english = PlaceWords(
        purchases: "Purchases",
        subscriptions: TermsLanguage.english.subscriptionsPage,
        family: "Your family",
        payment: "Payment methods",
        settings: "Settings",
        devices: "Devices",
        sessions: "Browsers",
        password: "Password",
        email: "E-mail address",
        deletion: "Delete the account")

    static let german = PlaceWords(
        purchases: "Käufe",
        subscriptions: TermsLanguage.german.subscriptionsPage,
        family: "Ihre Familie",
        payment: "Zahlungsarten",
        settings: "Einstellungen",
        devices: "Geräte",
        sessions: "Browser",
        password: "Passwort",
        email: "E-Mail-Adresse",
        deletion: "Account löschen")

    static let french = PlaceWords(
        purchases: "Achats",
        subscriptions: TermsLanguage.french.subscriptionsPage,
        family: "Votre famille",
        payment: "Moyens de paiement",
        settings: "Réglages",
        devices: "Appareils",
        sessions: "Navigateurs",
        password: "Mot de passe",
        email: "Adresse e-mail",
        deletion: "Supprimer le compte")
}

/// A link of the navigation, for its template.
struct PageLink {
    var address: String
    var name: String
    var isHere: Bool

    static func all(in language: PageLanguage, at place: AccountPlace) -> [PageLink] {
        AccountPlace.allCases.map {
            PageLink(
                address: $0.rawValue, name: PlaceWords.words(language)[keyPath: $0.name], isHere: $0 == place)
        }
    }
}
