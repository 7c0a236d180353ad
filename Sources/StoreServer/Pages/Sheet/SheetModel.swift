// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// The values of the sheet's template.
struct SheetModel {
    var title: String
    var app: String
    var environment: String
    var isPayment: Bool
    var product: String
    var detail: String
    var quantity: String?
    var price: String
    /// The price for the form, as `milliunits currency`.
    var shown: String
    var email: String
    var isSignedIn: Bool
    var message: String?
    /// The terms of a subscription in sentences; empty for other products.
    var terms: [String]
    /// The consequence for the customer's subscription, for the form.
    var change: String?
    /// The offer to share a contact; `nil` when there is none.
    var contact: ContactModel?

    init(_ view: SheetView, session: Account?, typed: CustomerForm?, message: String?, languages: [String]) {
        let account = view.account
        app = view.app.name
        environment = view.environment.rawValue
        isPayment = view.request.kind == .payment
        title = isPayment ? "Confirm purchase" : "Sign in"
        let localization = view.product?.localization(
            for: LanguagePreference(languages, in: view.storefront))
        product = localization?.title.nonEmpty ?? view.product?.referenceName ?? ""
        detail = localization?.description ?? ""
        quantity = view.request.quantity > 1 ? String(view.request.quantity) : nil
        price = view.price.map { Self.text($0, locale: view.storefront.priceLocale) } ?? ""
        shown = view.price.map { "\($0.milliunits) \($0.currency)" } ?? ""
        email = typed?.email?.nonEmpty ?? account?.email ?? ""
        isSignedIn = session != nil
        self.message = message
        terms = view.terms.map(SubscriptionText.lines) ?? []
        change = view.terms?.change.rawValue
        contact = view.terms.flatMap { SubscriptionText.offer($0, app: view.app.name) }.map {
            ContactModel(offer: $0, typed: typed)
        }
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

/// The values of the form with which a customer shares a contact.
struct ContactModel {
    /// The offer in a sentence.
    var offer: String
    var isChecked: Bool
    var name: String
    var email: String
    var postcode: String

    /// The box is checked only if the customer has checked it in `typed`.
    init(offer: String, typed: CustomerForm?) {
        self.offer = offer
        isChecked = typed?.share == "yes"
        name = typed?.name ?? ""
        email = typed?.contactEmail ?? ""
        postcode = typed?.postcode ?? ""
    }
}

/// The values of the template for a payment that isn't complete.
struct PendingModel {
    var title: String
    var message: String
    /// The outcome in JSON, by which the page notices a change.
    var outcome: String
    /// The address at which the customer has to act.
    var action: String?
}
