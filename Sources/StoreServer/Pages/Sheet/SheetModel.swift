// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// The values of the sheet's template.
struct SheetModel: PageModel {
    let page: PageFrame
    let words: SheetWords
    var title: String
    /// Why an app asks for the sign-in.
    var lead: String
    var app: String
    var environment: String
    var isPayment: Bool
    var product: String
    var detail: String
    var quantity: String?
    var price: String
    /// The price for the form, as `milliunits currency`.
    var shown: String
    /// The tax of the price; `nil` for a country or category without one in
    /// the operator's table.
    var tax: String?
    /// What happens instead of a payment: the product is owned, or another
    /// person has to approve.
    var note: String?
    /// The text of the button.
    var button: String
    /// The payment method; `nil` when nothing is charged, outside of the sandbox
    /// for an account without any, and where the customer chooses.
    var method: String?
    /// The methods of which the customer chooses one; empty before the customer
    /// is known.
    var methods: [MethodChoice] = []
    var hasMethods = false
    /// Whether the page has a button with which the customer gets the choice.
    var mayChoose = false
    /// Whether the account has removed all its methods.
    var lacksMethod = false
    var email: String
    var isSignedIn: Bool
    var message: PageMessage?
    /// The terms of a subscription in paragraphs; empty for other products.
    var terms: [TermsParagraph]
    /// The consequence for the customer's subscription, for the form.
    var change: String?
    /// The offer that applies, for the form; empty for none.
    var offer: String
    /// The later prices, for the form; empty for other products.
    var then: String
    /// The offer to share a contact; `nil` when there is none.
    var contact: ContactModel?

    init(
        _ view: SheetView, session: Account?, typed: CustomerForm?, message: PageMessage?, languages: [String],
        taxes: TaxTable
    ) {
        let preference = LanguagePreference(languages, in: view.storefront)
        page = PageFrame(PageLanguage(preference))
        words = .words(page.language)
        let account = view.account
        app = view.app.name
        environment = view.environment.rawValue
        isPayment = view.request.kind == .payment
        title = isPayment ? words.titlePayment : words.titleSignIn
        lead = words.fill(\.leadSignIn, ["app": view.app.name.isolated])
        let localization = view.product?.localization(for: preference)
        product = localization?.title.nonEmpty ?? view.product?.referenceName ?? ""
        detail = localization?.description ?? ""
        quantity = view.request.quantity > 1 ? String(view.request.quantity) : nil
        let amount = view.price.map { Self.text($0, locale: view.storefront.priceLocale) } ?? ""
        price = view.isOwned ? words.freeOfCharge : amount
        tax = view.isOwned ? nil : Self.tax(view, taxes, words, page.language)
        note = view.isOwned ? words.owned : view.needsApproval ? words.asksToBuy : nil
        button = view.isOwned ? words.getAgain : view.needsApproval ? words.ask : words.buy
        shown = view.shown?.shown ?? ""
        email = typed?.email?.nonEmpty ?? account?.email ?? ""
        isSignedIn = session != nil
        self.message = message
        let text = TermsText(TermsLanguage(preference))
        let language = text.language.rawValue
        terms = view.terms.map(text.paragraphs)?.map { TermsParagraph(language: language, text: $0) } ?? []
        change = view.shown?.change?.rawValue
        offer = view.shown?.offer ?? ""
        then = view.shown?.then ?? ""
        let isCharged = isPayment && !view.isOwned && !view.isFree
        switch account?.paymentMethod ?? .standard {
        case .standard: method = view.environment == .sandbox && !view.isOwned ? words.sandboxPayment : nil
        case .none where !view.needsApproval && isCharged && view.isKnown: lacksMethod = true
        case .method(let preferred) where !view.needsApproval && isCharged && !view.methods.isEmpty:
            methods = MethodChoice.all(view.methods, chosen: typed?.method ?? preferred.rawValue, preferred: preferred)
        default:
            method = view.isOwned ? nil : words.preferredMethod
            mayChoose = isCharged && !view.needsApproval
        }
        hasMethods = !methods.isEmpty
        contact = view.terms.flatMap { text.contact($0, app: view.app.name) }.map {
            ContactModel(
                offer: TermsParagraph(language: language, text: $0), bonus: view.shown?.bonus ?? "", typed: typed)
        }
    }

    private static func tax(
        _ view: SheetView, _ taxes: TaxTable, _ words: SheetWords, _ language: PageLanguage
    ) -> String? {
        guard let product = view.product, let price = view.price, price.milliunits > 0,
            let rate = taxes.rate(of: product, in: view.storefront)
        else { return nil }
        let percent = language.percent(rate.thousandths)
        guard rate.isIncluded else { return words.fill(\.taxAdded, ["rate": percent]) }
        guard let part = rate.part(of: price) else { return nil }
        return words.fill(
            \.taxIncluded, ["tax": text(part, locale: view.storefront.priceLocale), "rate": percent])
    }

    /// A price in the format of a storefront's locale.
    static func text(_ price: Money, locale: String) -> String {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = Locale(identifier: locale)
        formatter.currencyCode = price.currency
        let number = NSDecimalNumber(
            mantissa: price.milliunits.magnitude, exponent: -3, isNegative: price.milliunits < 0)
        return formatter.string(from: number) ?? "\(price.decimal) \(price.currency)"
    }
}

/// A payment method in the sheet's list.
struct MethodChoice {
    var value: String
    var title: String
    var isChosen: Bool

    /// The choices, of which one is chosen: the preferred one if the account
    /// doesn't have `chosen`.
    static func all(
        _ methods: [PaymentMethod], chosen: String, preferred: PaymentMethodIdentifier
    ) -> [MethodChoice] {
        let isThere = methods.contains { $0.identifier.rawValue == chosen }
        let marked = isThere ? chosen : preferred.rawValue
        return methods.map {
            MethodChoice(
                value: $0.identifier.rawValue, title: $0.title, isChosen: $0.identifier.rawValue == marked)
        }
    }
}

/// A paragraph about the terms in the customer's language, which can be
/// another one than the page's.
struct TermsParagraph: Encodable {
    /// The value of the attribute `lang`.
    var language: String
    var text: String
}

/// The values of the form with which a customer shares a contact.
struct ContactModel {
    /// The offer in two sentences.
    var offer: TermsParagraph
    /// The longer period, for the form.
    var bonus: String
    var isChecked: Bool
    var name: String
    var email: String
    var postcode: String

    /// The box is checked only if the customer has checked it in `typed`.
    init(offer: TermsParagraph, bonus: String, typed: CustomerForm?) {
        self.offer = offer
        self.bonus = bonus
        isChecked = typed?.share == "yes"
        name = typed?.name ?? ""
        email = typed?.contactEmail ?? ""
        postcode = typed?.postcode ?? ""
    }
}

/// The values of the template for a payment that isn't complete.
struct PendingModel: PageModel {
    let page: PageFrame
    let words: OutcomeWords
    var title: String
    var message: String
    /// The outcome in JSON, by which the page notices a change.
    var outcome: String
    /// The address at which the customer has to act.
    var action: String?

    init(_ state: SheetPages.PageState, action: String?, in language: PageLanguage) {
        page = PageFrame(language)
        words = .words(language)
        let text = words[keyPath: action == nil ? state.words : \.atBank]
        title = text.title
        message = text.message
        outcome = state.rawValue
        self.action = action
    }
}
