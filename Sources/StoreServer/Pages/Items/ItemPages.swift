// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain

/// The public page of an item, and the page on which its customer signs in.
struct ItemPages {
    let common: CommonPages
    private let item: PageTemplate
    private let signIn: PageTemplate

    init(_ common: CommonPages) throws {
        self.common = common
        item = try common.templates.page(PackageResources.item_mustache)
        signIn = try common.templates.page(PackageResources.sign_in_mustache)
    }

    func item(_ model: ItemModel, isPublic: Bool) -> Response {
        isPublic ? .publicPage(item.render(model)) : .pageWithImages(item.render(model))
    }

    /// The page on which a customer signs in before an item is ordered.
    func signIn(_ model: SignInModel, failure: StoreFailure?) -> Response {
        var response = Response.page(signIn.render(model), status: failure?.status ?? .ok)
        response.headers[.retryAfter] = failure?.retryAfter.map(String.init)
        return response
    }

    /// The page of an order that another person has to approve.
    func asked(in language: PageLanguage) -> Response {
        let text = OutcomeWords.words(language).asked
        return common.result(ResultModel(language, title: text.title, message: text.message, isGood: true))
    }

    /// The page of an item that its customer owns.
    func owned(_ item: Item, in language: PageLanguage) -> Response {
        let words = ItemWords.words(language)
        var model = ResultModel(language, title: words.ownedTitle, message: words.owned, isGood: true)
        model.link = PageLink.seller(of: item, in: language)
        return common.result(model)
    }
}

extension PageLink {
    /// The address that a seller gives to those who have bought an item.
    static func seller(of item: Item, in language: PageLanguage) -> PageLink {
        PageLink(address: item.link, name: ItemWords.words(language).open, isHere: false)
    }
}
