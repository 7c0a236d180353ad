// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// Sentences about a customer's subscriptions. ``TermsText`` has those of the
/// sheet.
struct SubscriptionText {
    let language: PageLanguage
    let words: SubscriptionWords

    init(_ language: PageLanguage) {
        self.language = language
        words = .words(language)
    }

    /// The last page of a sheet on which a plan was chosen, and nothing paid.
    func result(_ chosen: ChosenPlan) -> ResultModel {
        let outcome = OutcomeWords.words(language)
        return ResultModel(
            language,
            title: outcome.fill(
                chosen.isCurrent ? \.renews : \.changes, ["date": language.date(chosen.begins)]),
            message: outcome.nothingCharged, isGood: true)
    }

    /// The state of a subscription in one or two sentences.
    func state(_ managed: ManagedSubscription, languages: [String]) -> String {
        let (state, end) = (managed.state, language.date(managed.state.end))
        switch managed.status {
        case .revoked: return words.revoked
        case .billingGracePeriod:
            let until = state.failure?.graceEnd.map { " \(words.fill(\.grace, ["date": language.date($0)]))" }
            return "\(words.paymentFailed)\(until ?? "")"
        case .billingRetry:
            return "\(words.paymentFailed) \(words.fill(\.retry, ["date": language.date(state.retryEnd)]))"
        case .expired:
            return words.fill(state.expired == nil ? \.renewing : \.ended, ["end": end])
        case .active:
            guard let renewal = managed.renewal else { return words.fill(\.stops, ["end": end]) }
            let isOther = renewal.product.productIdentifier != state.period.product
            return words.fill(
                isOther ? \.renewsAs : \.renews,
                [
                    "end": end, "price": language.price(renewal.price),
                    "product": Self.title(renewal.product, in: managed.storefront, languages).isolated,
                ])
        }
    }

    /// A higher price that waits, and the customer's choice; `nil` without
    /// one. While the renewal is off, it is the one to which turning it on
    /// agrees.
    func increase(_ managed: ManagedSubscription) -> String? {
        let turnedOn = managed.canTurnOn ? managed.next?.terms.increase : nil
        if let turnedOn { return rises(managed, from: turnedOn.old, to: turnedOn.new, turnedOn.applies) }
        guard let increase = managed.priceIncrease else { return nil }
        let change = rises(managed, from: increase.oldPrice, to: increase.newPrice, increase.applies)
        guard increase.needsConsent else { return "\(change) \(words.turnOffBefore)" }
        return "\(change) \(increase.isAgreed ? words.hasAgreed : words.mustAgree)"
    }

    private func rises(
        _ managed: ManagedSubscription, from old: Money, to new: Money, _ applies: StoreTime
    ) -> String {
        words.fill(
            \.rises,
            [
                "old": language.price(old), "new": language.rate(new, managed.state.period.plan.period),
                "date": language.date(applies),
            ])
    }

    /// The text of the button that turns the renewal on, with its price.
    func turnOn(_ managed: ManagedSubscription) -> String {
        managed.next.map { words.fill(\.turnOn, ["consequence": consequence($0)]) } ?? ""
    }

    /// The consequence of choosing a product, after its title: the rate, or the
    /// offer that waits.
    func consequence(_ choice: ManagedSubscription.Choice) -> String {
        let rate =
            choice.terms.offer.map(TermsText(language.terms).offers)
            ?? language.rate(choice.terms.firstPrice, choice.terms.plan.period)
        switch choice.terms.change {
        case .choose, .keep: return words.fill(\.fromNextPeriod, ["rate": rate])
        case .upgrade, .subscribe: return words.fill(\.fromNow, ["rate": rate])
        }
    }

    static func title(_ product: Product, in storefront: Storefront, _ languages: [String]) -> String {
        product.localization(for: LanguagePreference(languages, in: storefront)).title.nonEmpty
            ?? product.referenceName
    }
}
