// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// Sentences about subscriptions for customers, in English. ``TermsText`` has
/// those of the sheet.
enum SubscriptionText {
    /// The last page of a sheet on which a plan was chosen, and nothing paid.
    static func result(_ chosen: ChosenPlan) -> ResultModel {
        let next = chosen.isCurrent ? "Your subscription renews on" : "Your plan changes on"
        return ResultModel(
            title: "\(next) \(date(chosen.begins))",
            message: "Nothing was charged. You can close this page and go back to the app.", isGood: true)
    }

    /// The state of a subscription in one or two sentences.
    static func state(_ managed: ManagedSubscription, languages: [String]) -> String {
        let (state, end) = (managed.state, date(managed.state.end))
        switch managed.status {
        case .revoked: return "Ended: its price was given back."
        case .billingGracePeriod:
            let until = state.failure?.graceEnd.map { " You have it until \(date($0)) while the store tries again." }
            return "The last payment has failed.\(until ?? "")"
        case .billingRetry:
            return "The last payment has failed. The store tries again until \(date(state.retryEnd))."
        case .expired:
            return state.expired == nil ? "Paid until \(end). The renewal is under way." : "Ended on \(end)."
        case .active:
            guard let renewal = managed.renewal else { return "Paid until \(end). It doesn't renew." }
            let isOther = renewal.product.productIdentifier != state.period.product
            let other = isOther ? " as \(title(renewal.product, in: managed.storefront, languages))" : ""
            return "Paid until \(end). It renews then\(other) for \(price(renewal.price))."
        }
    }

    /// A higher price that waits, and the customer's choice; `nil` without
    /// one.
    static func increase(_ managed: ManagedSubscription) -> String? {
        guard let increase = managed.priceIncrease else { return nil }
        let rate = TermsLanguage.english.rate(increase.newPrice, managed.state.period.plan.period)
        let change = "The price rises from \(price(increase.oldPrice)) to \(rate) on \(date(increase.applies))."
        guard increase.needsConsent else {
            return "\(change) To end the subscription before, turn its renewal off."
        }
        return increase.isAgreed
            ? "\(change) You have agreed to it."
            : "\(change) Agree to it to keep the subscription; otherwise it ends then."
    }

    /// The consequence of choosing a product, after its title.
    static func consequence(_ choice: ManagedSubscription.Choice) -> String {
        let rate = TermsLanguage.english.rate(choice.terms.price, choice.terms.plan.period)
        switch choice.terms.change {
        case .choose, .keep: return "\(rate), from the next period"
        case .upgrade, .subscribe: return "\(rate), from now on: buy it in the app"
        }
    }

    static func title(_ product: Product, in storefront: Storefront, _ languages: [String]) -> String {
        product.localization(for: LanguagePreference(languages, in: storefront)).title.nonEmpty
            ?? product.referenceName
    }

    static func price(_ money: Money) -> String { TermsLanguage.english.price(money) }

    static func date(_ moment: StoreTime) -> String { TermsLanguage.english.date(moment) }

    /// A moment of the time outside, such as the last use of a device.
    static func date(_ moment: WallTime) -> String {
        TermsLanguage.english.date(StoreTime(milliseconds: moment.milliseconds))
    }
}
