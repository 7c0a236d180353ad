// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The values of the template for the list of purchases.
struct PurchasesModel: PageModel {
    /// A purchase in the list.
    struct Listed {
        var address: String
        var title: String
        var app: String
        var date: String
        var price: String
        var isRefunded: Bool
    }

    let page: PageFrame
    let words: PurchaseWords
    let title: String
    let environment: String
    let account: String
    let purchases: [Listed]
    /// The last purchase of the page when older ones follow.
    let next: String?
    /// Whether newer purchases are before the page.
    let isOlder: Bool
    /// Whether a form needs the password, because the browser has no session.
    let asksForPassword: Bool

    init(
        _ reader: PageReader, _ history: ReadingPurchaseHistory.Page, environment: StoreEnvironment, isOlder: Bool
    ) {
        let words = PurchaseWords.words(reader.language)
        page = PageFrame(reader.language, at: .purchases)
        self.words = words
        title = PlaceWords.words(reader.language).purchases
        self.environment = environment.rawValue
        account = reader.account.email
        purchases = history.entries.map { entry in
            Listed(
                address: PurchaseModel.address(of: entry.purchase), title: PurchaseModel.title(of: entry, reader),
                app: entry.app.name, date: reader.language.date(entry.purchase.date),
                price: PurchaseModel.price(of: entry.purchase, reader.language, words),
                isRefunded: entry.purchase.revoked != nil)
        }
        next = history.next?.rawValue
        self.isOlder = isOlder
        asksForPassword = !reader.hasSession
    }
}

/// The customer who reads a page of purchases.
struct PageReader {
    var account: Account
    var language: PageLanguage
    /// The languages for the texts of products.
    var languages: [String]
    /// Whether the browser has a session, so that links need no password.
    var hasSession: Bool
    /// A session that the response opens.
    var cookie: String?
}
