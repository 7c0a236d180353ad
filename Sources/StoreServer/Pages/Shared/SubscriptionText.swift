// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// Sentences about subscriptions for customers.
enum SubscriptionText {
    /// The terms of a subscription, as the sheet says them before it is
    /// bought.
    static func lines(_ terms: SubscriptionTerms) -> [String] {
        let rate = "\(price(terms.price)) \(per(terms.plan.period))"
        switch terms.change {
        case .subscribe:
            return [first(rate, terms), renewal]
        case .upgrade:
            let refund = terms.givenBack.map { " You get back \(price($0)), the unused part of its price." }
            return [
                first(rate, terms), "It begins now and replaces your current subscription.\(refund ?? "")", renewal,
            ]
        case .choose:
            let start = terms.paidUntil.map { " It begins on \(date($0)), when the period that you have paid ends." }
            return ["\(rate).\(start ?? "") Nothing is charged now.", renewal]
        case .keep:
            let end = terms.paidUntil.map { " until \(date($0))" } ?? ""
            let isOn = terms.state?.renews == true
            return [
                "\(rate). You have this subscription\(end). Nothing is charged now.",
                "Its renewal \(isOn ? "stays on" : "is turned on again").", renewal,
            ]
        }
    }

    private static func first(_ rate: String, _ terms: SubscriptionTerms) -> String {
        guard let period = terms.paidPeriod() else { return "\(rate)." }
        return "\(rate). The first period is from \(date(period.start)) to \(date(period.end))."
    }

    private static let renewal = """
        It renews at the end of each period until you cancel it, and is charged at most a day before. To cancel, turn \
        its renewal off on the page \u{201C}Manage subscriptions\u{201D} before the period ends; you keep the rest of \
        the period.
        """

    /// The last page of a sheet on which a plan was chosen, and nothing paid.
    static func result(_ chosen: ChosenPlan) -> ResultModel {
        let next = chosen.isCurrent ? "Your subscription renews on" : "Your plan changes on"
        return ResultModel(
            title: "\(next) \(date(chosen.begins))",
            message: "Nothing was charged. You can close this page and go back to the app.", isGood: true)
    }

    /// The offer of a longer period for a contact; `nil` when there is none.
    static func offer(_ terms: SubscriptionTerms, app: String) -> String? {
        guard let bonus = terms.contactBonus, let period = terms.paidPeriod(bonus: bonus) else { return nil }
        return """
            Share my name, e-mail address and postcode with the seller of \(app). The first period is then \
            \(length(bonus)) longer, until \(date(period.end)).
            """
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

    /// The consequence of choosing a product, after its title.
    static func consequence(_ choice: ManagedSubscription.Choice) -> String {
        let rate = "\(price(choice.terms.price)) \(per(choice.terms.plan.period))"
        switch choice.terms.change {
        case .choose, .keep: return "\(rate), from the next period"
        case .upgrade, .subscribe: return "\(rate), from now on: buy it in the app"
        }
    }

    static func title(_ product: Product, in storefront: Storefront, _ languages: [String]) -> String {
        product.localization(for: LanguagePreference(languages, in: storefront)).title.nonEmpty
            ?? product.referenceName
    }

    /// A price with its currency's code, because several currencies have the
    /// same sign.
    static func price(_ money: Money) -> String { "\(money.decimal) \(money.currency)" }

    /// `per month`, `per 3 months`.
    static func per(_ period: SubscriptionPeriod) -> String {
        "per \(period.count == 1 ? unit(period.unit) : length(period))"
    }

    /// `1 month`, `3 months`.
    static func length(_ period: SubscriptionPeriod) -> String {
        "\(period.count) \(unit(period.unit))\(period.count == 1 ? "" : "s")"
    }

    private static func unit(_ unit: SubscriptionPeriod.Unit) -> String {
        switch unit {
        case .day: "day"
        case .week: "week"
        case .month: "month"
        case .year: "year"
        }
    }

    /// `10 April 2026, 19:00 UTC`. It has the time, because the day depends on
    /// the customer's time zone, which the store doesn't know.
    static func date(_ moment: StoreTime) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "d MMMM yyyy, HH:mm 'UTC'"
        return formatter.string(from: moment.date)
    }
}
