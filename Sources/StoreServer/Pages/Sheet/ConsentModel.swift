// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The values of the template for a price increase.
struct ConsentModel: PageModel {
    let page: PageFrame
    let words: SheetWords
    var title: String
    var app: String
    var environment: String
    var product: String
    var detail: String
    /// The new price.
    var price: String
    /// The new price for the form, as `milliunits currency`.
    var shown: String
    /// The prices with their date, for the form.
    var then: String
    /// The subscription for the form.
    var subscription: String
    /// The prices and the date in paragraphs.
    var terms: [TermsParagraph]
    var email: String
    var isSignedIn: Bool
    var message: PageMessage?

    init(
        _ view: SheetView, _ increase: PendingPriceIncrease, session: Account?, typed: CustomerForm?,
        message: PageMessage?, languages: [String]
    ) {
        let preference = LanguagePreference(languages, in: increase.storefront)
        page = PageFrame(PageLanguage(preference))
        words = .words(page.language)
        title = words.titleConsent
        app = view.app.name
        environment = view.environment.rawValue
        product = SubscriptionText.title(increase.product, in: increase.storefront, languages)
        detail = increase.product.localization(for: preference).description
        price = SheetModel.text(increase.newPrice, locale: increase.storefront.priceLocale)
        let terms = ShownTerms(increase)
        (shown, then) = (terms.shown, terms.then)
        subscription = increase.original.rawValue
        let text = TermsText(TermsLanguage(preference))
        self.terms = text.paragraphs(increase).map { TermsParagraph(language: text.language.rawValue, text: $0) }
        email = typed?.email?.nonEmpty ?? view.account?.email ?? ""
        isSignedIn = session != nil
        self.message = message
    }
}
