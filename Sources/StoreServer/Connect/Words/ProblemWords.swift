// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of refused requests on the live page.
struct ProblemWords: PageWords {
    /// `{count}`.
    var products: String
    /// `{product}` and `{reason}`.
    var product: String
    /// `{count}`.
    var more: String
    var notRegistered: String
    var incomplete: String
    var notCleared: String
    var otherCountry: String
    /// `{request}`.
    var serverAPI: String
    /// `{code}`.
    var code: String
    /// `{status}`.
    var receipt: String

    static let english = ProblemWords(
        products: "Invalid product identifiers: {count}",
        product: "{product}: {reason}",
        more: "and {count} more",
        notRegistered: "the app has no such product",
        incomplete: "a price, or a language with both texts, is missing",
        notCleared: "not cleared for sale",
        otherCountry: "not sold in the tester’s country",
        serverAPI: "{request} (App Store Server API)",
        code: "error {code}",
        receipt: "/verifyReceipt: status {status}")

    static let german = ProblemWords(
        products: "Ungültige Produkt-IDs: {count}",
        product: "{product}: {reason}",
        more: "und {count} weitere",
        notRegistered: "die App hat kein solches Produkt",
        incomplete: "es fehlt ein Preis oder eine Sprache mit beiden Texten",
        notCleared: "nicht zum Verkauf freigegeben",
        otherCountry: "im Land des Testers nicht verkauft",
        serverAPI: "{request} (App Store Server API)",
        code: "Fehler {code}",
        receipt: "/verifyReceipt: Status {status}")

    static let french = ProblemWords(
        products: "Identifiants de produit invalides : {count}",
        product: "{product} : {reason}",
        more: "et {count} autres",
        notRegistered: "l’app n’a pas ce produit",
        incomplete: "il manque un prix ou une langue avec ses deux textes",
        notCleared: "pas mis en vente",
        otherCountry: "pas vendu dans le pays du testeur",
        serverAPI: "{request} (App Store Server API)",
        code: "erreur {code}",
        receipt: "/verifyReceipt : statut {status}")

    func name(_ reason: SandboxProblem.Reason) -> String {
        switch reason {
        case .notRegistered: notRegistered
        case .incomplete: incomplete
        case .notCleared: notCleared
        case .otherCountry: otherCountry
        }
    }

    /// The heading and the lines of a refused request.
    func texts(of subject: SandboxProblem.Subject) -> (name: String, details: [String]) {
        switch subject {
        case .products(let refused, let count):
            let lines = refused.map { refused in
                fill(\.product, ["product": refused.product.isolated, "reason": name(refused.reason)])
            }
            let others = count - refused.count
            return (
                fill(\.products, ["count": String(count)]),
                lines + (others > 0 ? [fill(\.more, ["count": String(others)])] : [])
            )
        case .serverAPI(let request, let code, let message):
            return (fill(\.serverAPI, ["request": request]), ["\(fill(\.code, ["code": String(code)])): \(message)"])
        case .verifyReceipt(let status, let reason):
            return (fill(\.receipt, ["status": String(status)]), [reason])
        }
    }
}
