// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent

/// A sentence that an app shows to its customer as an error's `localizedDescription`, in the languages of the store's
/// pages. It names no product identifier, path or address: the developer's sentence is in the error's user info
/// (`NSDebugDescriptionErrorKey`).
struct CustomerSentence: Sendable {
    private let english: String
    private let german: String
    private let french: String

    init(_ english: String, de german: String, fr french: String) {
        (self.english, self.german, self.french) = (english, german, french)
    }

    /// The sentence in the language of the customer's storefront; in English before the store has sent one.
    var text: String { text(in: AgentHost.shared.current?.storefront?.countryCode) }

    /// The sentence in the language of a storefront. The countries are those in which the App Store shows German or
    /// French texts first, of the languages that there are here (App Store localizations, 2026-10).
    func text(in country: String?) -> String {
        switch country {
        case "AUT", "CHE", "DEU": german
        case "CIV", "CMR", "FRA", "GAB": french
        default: english
        }
    }
}

extension CustomerSentence {
    static let failed = CustomerSentence(
        "This could not be completed. Try again later.",
        de: "Das konnte nicht abgeschlossen werden. Versuchen Sie es später noch einmal.",
        fr: "L’opération n’a pas pu être terminée. Réessayez plus tard.")
    static let cancelled = CustomerSentence(
        "It was cancelled. Nothing was charged.", de: "Es wurde abgebrochen. Es wurde nichts berechnet.",
        fr: "L’opération a été annulée. Rien n’a été débité.")
    static let account = CustomerSentence(
        "Your account can’t be used for this.", de: "Ihr Account kann dafür nicht verwendet werden.",
        fr: "Votre compte ne peut pas être utilisé pour cela.")
    static let unsold = CustomerSentence(
        "This can’t be bought now.", de: "Dies kann jetzt nicht gekauft werden.",
        fr: "Cet article ne peut pas être acheté maintenant.")
    static let restricted = CustomerSentence(
        "Purchases aren’t allowed on this device.", de: "Käufe sind auf diesem Gerät nicht erlaubt.",
        fr: "Les achats ne sont pas autorisés sur cet appareil.")
    static let country = CustomerSentence(
        "This isn’t sold in your country.", de: "Dies wird in Ihrem Land nicht verkauft.",
        fr: "Cet article n’est pas vendu dans votre pays.")
    static let offer = CustomerSentence(
        "This offer can’t be used.", de: "Dieses Angebot kann nicht verwendet werden.",
        fr: "Cette offre ne peut pas être utilisée.")
    static let subscribed = CustomerSentence(
        "You have this subscription already.", de: "Sie haben dieses Abonnement schon.",
        fr: "Vous avez déjà cet abonnement.")
    static let network = CustomerSentence(
        "The store can’t be reached. Check your connection, and try again.",
        de: "Der Store ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.",
        fr: "La boutique est injoignable. Vérifiez votre connexion, puis réessayez.")
    static let space = CustomerSentence(
        "There isn’t enough free space on this device.", de: "Auf diesem Gerät ist nicht genug Platz frei.",
        fr: "Il n’y a pas assez d’espace libre sur cet appareil.")
    static let damaged = CustomerSentence(
        "The download is damaged. Load it again.", de: "Der Download ist beschädigt. Laden Sie ihn noch einmal.",
        fr: "Le téléchargement est endommagé. Téléchargez-le de nouveau.")
    static let unsaved = CustomerSentence(
        "This can’t be saved on this device.", de: "Dies kann auf diesem Gerät nicht gespeichert werden.",
        fr: "Cet élément ne peut pas être enregistré sur cet appareil.")
}

extension CustomerSentence {
    /// The sentence of an error of StoreKit, and of the error below it.
    static func of(_ code: SKError.Code, underlying: (any Error)?) -> CustomerSentence {
        switch code {
        case .paymentCancelled, .overlayCancelled: .cancelled
        case .clientInvalid: .account
        case .paymentInvalid: .unsold
        case .paymentNotAllowed: .restricted
        case .storeProductNotAvailable: .country
        case .invalidOfferIdentifier, .invalidSignature, .missingOfferParams, .invalidOfferPrice, .ineligibleForOffer:
            .offer
        default: below(underlying)
        }
    }

    private static func below(_ underlying: (any Error)?) -> CustomerSentence {
        guard let underlying = underlying.map({ $0 as NSError }) else { return .failed }
        switch (underlying.domain, underlying.code) {
        case (NSURLErrorDomain, _): return .network
        case ("ASDServerErrorDomain", 3532): return .subscribed
        default: return .failed
        }
    }
}
