// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The values of the template for a code.
struct RedemptionModel: PageModel {
    let page: PageFrame
    let words: SheetWords
    var title: String
    /// What to do before a code is checked.
    var lead: String
    var app: String
    var environment: String
    /// The code as the customer has typed it.
    var code: String
    /// The product and terms of a code that was checked; `nil` before.
    var given: Given?
    var email: String
    var isSignedIn: Bool
    var message: PageMessage?

    init(
        _ view: SheetView, given: Given?, isSignedIn: Bool, typed: CustomerForm?, message: PageMessage?,
        in language: PageLanguage
    ) {
        page = PageFrame(language)
        words = .words(language)
        title = words.titleRedeem
        // The name of an app is that of its page: the sheet has its seller's.
        let preference = LanguagePreference([language.rawValue], in: view.storefront)
        let name = view.item?.product.localization(for: preference).title ?? view.app.name
        lead = words.fill(\.leadRedeem, ["app": name.isolated])
        app = view.app.name
        environment = view.environment.rawValue
        code = typed?.code ?? ""
        self.given = given
        email = typed?.email?.nonEmpty ?? view.account?.email ?? ""
        self.isSignedIn = isSignedIn
        self.message = message
    }

    /// The product of a code, and the price and terms on which the customer
    /// gets it.
    struct Given: Encodable {
        var product: String
        var detail: String
        var price: String
        /// The price for the form, as `milliunits currency`.
        var shown: String
        /// The consequence for the customer's subscription, for the form;
        /// empty for other products.
        var change: String
        /// The offer that applies, for the form; empty for none.
        var offer: String
        /// The later prices, for the form; empty for other products.
        var then: String
        /// The terms of a subscription in sentences; empty for other products.
        var terms: [TermsParagraph]
        /// A stored property, because templates read no others.
        var hasTerms: Bool
    }
}

extension RedemptionModel.Given {
    init(_ terms: CodeTerms, for account: Account, languages: [String]) {
        let preference = LanguagePreference(languages, in: account.storefront)
        let localization = terms.product.localization(for: preference)
        let (text, shown) = (TermsText(TermsLanguage(preference)), terms.shown)
        self.init(
            product: localization.title.nonEmpty ?? terms.product.referenceName, detail: localization.description,
            price: SheetModel.text(terms.price, locale: account.storefront.priceLocale),
            shown: shown.shown, change: shown.change?.rawValue ?? "", offer: shown.offer, then: shown.then,
            terms: terms.subscription.map(text.paragraphs)?.map {
                TermsParagraph(language: text.language.rawValue, text: $0)
            } ?? [], hasTerms: terms.subscription != nil)
    }
}
