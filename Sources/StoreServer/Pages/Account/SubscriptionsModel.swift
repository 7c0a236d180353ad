// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The values of the template for the page *Manage subscriptions*. All are
/// stored, because Mustache reads no computed properties.
struct SubscriptionsModel: PageModel {
    let page: PageFrame
    let words: SubscriptionWords
    var title: String
    var environment: String
    /// The e-mail address of the signed-in account; `nil` without one.
    var account: String?
    /// The typed address, after a failed sign-in.
    var email: String
    var asksForSignIn: Bool
    /// Whether the browser has a session, which can be ended.
    var hasSession = false
    /// The result of the last answer.
    var notice: String?
    /// Why the last answer has failed.
    var message: PageMessage?
    var subscriptions: [SubscriptionModel] = []

    /// The page of an account, or the sign-in without one.
    init(_ language: PageLanguage, environment: String, account: Account?, typed: String? = nil) {
        page = PageFrame(language, at: .subscriptions)
        words = .words(language)
        title = PlaceWords.words(language).subscriptions
        self.environment = environment
        self.account = account?.email
        email = typed ?? ""
        asksForSignIn = account == nil
    }
}

/// The values of one subscription of the page.
struct SubscriptionModel {
    /// A product to which the subscription can change.
    struct Choice {
        var product: String
        var title: String
        var consequence: String
        /// The title with the consequence: the text of a button, or a
        /// sentence.
        var text: String
        var change: PlanChange
    }

    var original: String
    /// The e-mail address of the account, for the form.
    var email: String
    var bundle: String
    var app: String
    var product: String
    var title: String
    var state: String
    var status: Int
    var renews: Bool
    /// The end of the paid time, in milliseconds since 1970.
    var ends: Int64
    var nextProduct: String
    var note: String?
    /// A sentence about a higher price that waits; `nil` without one.
    var increase: String?
    /// Whether the price can be agreed to, and refused.
    var asksForConsent: Bool
    var canTurnOff: Bool
    var canTurnOn: Bool
    /// Whether it can be shared with the family from now on.
    var canShare: Bool
    /// Whether it is shared with the family, which can be ended.
    var canUnshare: Bool
    /// The texts of the buttons that turn the renewal off, and on.
    var turnOff: String
    var turnOn: String
    /// The terms of all choices, for the form (``ChoiceTerms``).
    var terms: String
    /// The products that can be chosen here.
    var choices: [Choice]
    /// The products that can be bought in the app only.
    var offers: [Choice]
    var hasActions: Bool
    /// Whether the form needs the password, because the browser has no
    /// session.
    var asksForPassword: Bool

    init(
        _ managed: ManagedSubscription, of account: Account, asksForPassword: Bool, languages: [String],
        in language: PageLanguage
    ) {
        let text = SubscriptionText(language)
        let words = text.words
        let state = managed.state
        original = managed.subscription.original.rawValue
        email = account.email
        bundle = managed.subscription.bundleIdentifier.rawValue
        app = managed.app.name
        product = state.period.product.rawValue
        title =
            managed.product.map { SubscriptionText.title($0, in: managed.storefront, languages) }
            ?? state.period.product.rawValue
        self.state = text.state(managed, languages: languages)
        status = managed.status.rawValue
        renews = state.renews
        ends = state.end.milliseconds
        nextProduct = state.nextProduct.rawValue
        canTurnOff = managed.canTurnOff
        canTurnOn = managed.canTurnOn
        canShare = managed.isShareable && !managed.subscription.isShared
        canUnshare = managed.isShareable && managed.subscription.isShared
        turnOff = state.isInRetry ? words.endNow : words.turnOff
        turnOn = text.turnOn(managed)
        terms = Self.terms(managed)
        let isOver = [.expired, .revoked].contains(managed.status) && (state.expired != nil || state.isRevoked)
        note = isOver ? words.buyAgain : nil
        increase = text.increase(managed)
        asksForConsent = managed.asksForConsent
        let all = managed.choices.map { choice in
            let title = SubscriptionText.title(choice.product, in: managed.storefront, languages)
            let consequence = text.consequence(choice)
            return Choice(
                product: choice.product.productIdentifier.rawValue, title: title, consequence: consequence,
                text: words.fill(
                    choice.terms.change.charges ? \.offer : \.changeTo,
                    ["product": title.isolated, "consequence": consequence]),
                change: choice.terms.change)
        }
        choices = all.filter { !$0.change.charges }
        offers = all.filter(\.change.charges)
        hasActions = canTurnOff || canTurnOn || asksForConsent || managed.isShareable || !choices.isEmpty
        self.asksForPassword = asksForPassword
    }

    private static func terms(_ managed: ManagedSubscription) -> String {
        var terms = ChoiceTerms()
        for choice in managed.choices where !choice.terms.change.charges {
            terms.add(.product(choice.product.productIdentifier), ShownTerms(choice.terms))
        }
        if managed.canTurnOn, let next = managed.next { terms.add(.renewal, ShownTerms(next.terms)) }
        if let increase = managed.priceIncrease { terms.add(.agreement, ShownTerms(increase)) }
        return terms.text
    }
}

/// The subscriptions of an account in JSON.
struct SubscriptionsAnswer: Encodable {
    struct Choice: Encodable {
        var product: String
        /// `choose` or `keep` can be chosen here; `upgrade` is bought in the
        /// app.
        var change: String
    }

    struct Listed: Encodable {
        var subscription: String
        var bundle: String
        var product: String
        /// The number of `SubscriptionState.Status`.
        var status: Int
        var renews: Bool
        /// In milliseconds since 1970.
        var ends: Int64
        var nextProduct: String
        var choices: [Choice]
        /// The terms of all choices, as the form takes them.
        var terms: String
    }

    var subscriptions: [Listed]

    init(_ model: SubscriptionsModel) {
        subscriptions = model.subscriptions.map { listed in
            Listed(
                subscription: listed.original, bundle: listed.bundle, product: listed.product, status: listed.status,
                renews: listed.renews, ends: listed.ends, nextProduct: listed.nextProduct,
                choices: (listed.choices + listed.offers).map {
                    Choice(product: $0.product, change: $0.change.rawValue)
                }, terms: listed.terms)
        }
    }
}
