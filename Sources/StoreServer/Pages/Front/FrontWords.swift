// SPDX-License-Identifier: Apache-2.0

/// The texts of the first page.
struct FrontWords: PageWords {
    var about: String
    var customers: String
    var account: String
    var accountDetail: String
    var sellers: String
    var connect: String
    var connectDetail: String
    var programs: String
    var descriptionDetail: String

    static let english = FrontWords(
        about: """
            This is a store for In-App Purchases. \
            Apps buy from it with StoreKit, and their servers ask it about the purchases.
            """,
        customers: "For customers",
        account: "Your account",
        accountDetail: "Purchases, subscriptions, family, payment methods and settings",
        sellers: "For sellers",
        connect: "Connect",
        connectDetail: "Apps, products, testers, and a live page of the purchases in the sandbox",
        programs: "For programs",
        descriptionDetail: "A description in OpenAPI 3.1")

    static let german = FrontWords(
        about: """
            Dies ist ein Store für In-App-Käufe. \
            Apps kaufen hier mit StoreKit, und ihre Server fragen ihn nach den Käufen.
            """,
        customers: "Für Kundinnen und Kunden",
        account: "Ihr Account",
        accountDetail: "Käufe, Abonnements, Familie, Zahlungsarten und Einstellungen",
        sellers: "Für Anbieter",
        connect: "Connect",
        connectDetail: "Apps, Produkte, Tester und eine Seite, die Käufe in der Sandbox sofort zeigt",
        programs: "Für Programme",
        descriptionDetail: "Eine Beschreibung in OpenAPI 3.1")

    static let french = FrontWords(
        about: """
            Ceci est un magasin d’achats intégrés. \
            Les apps y achètent avec StoreKit, et leurs serveurs l’interrogent sur les achats.
            """,
        customers: "Pour les clients",
        account: "Votre compte",
        accountDetail: "Achats, abonnements, famille, moyens de paiement et réglages",
        sellers: "Pour les vendeurs",
        connect: "Connect",
        connectDetail: "Apps, produits, testeurs et une page qui montre les achats du sandbox en direct",
        programs: "Pour les programmes",
        descriptionDetail: "Une description en OpenAPI 3.1")
}
