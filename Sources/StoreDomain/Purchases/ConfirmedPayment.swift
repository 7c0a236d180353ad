// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The terms of a payment that a customer has confirmed on a sheet, while the
/// payment waits for an approval or for the end of an interruption.
package struct ConfirmedPayment: Hashable, Sendable, Codable {
    /// The price in thousandths, and its currency.
    var milliunits: Int64
    var currency: String
    /// The raw value of the consequence for a subscription (``PlanChange``);
    /// empty for every other product.
    var change: String
    /// The ``AppliedOffer/summary`` of the offer; empty for none.
    var offer: String
    /// The highest price of a later period, in thousandths, and the length of
    /// one; `nil` for a product that is paid once, and for a payment that an
    /// older version has confirmed.
    var later: Int64?
    var period: String?
    /// The payment method that the customer has chosen; `nil` for the preferred
    /// one.
    var method: String?

    init(_ terms: PurchaseTerms, method: PaymentMethodIdentifier? = nil) {
        self.init(terms.whole, terms.subscription)
        self.method = method?.rawValue
    }

    /// The terms of a choice for a subscription.
    init(_ terms: SubscriptionTerms) {
        self.init(terms.heading, terms)
    }

    private init(_ price: Money, _ subscription: SubscriptionTerms?) {
        milliunits = price.milliunits
        currency = price.currency
        change = subscription?.change.rawValue ?? ""
        offer = subscription?.offer?.summary ?? ""
        later = subscription.map { max($0.firstPrice.milliunits, $0.increase?.new.milliunits ?? 0) }
        period = subscription?.plan.period.iso8601
    }

    /// The failure of a payment whose terms aren't those that the customer has
    /// confirmed. It is `nil` when they are, when only the price is lower, and
    /// when nothing is charged any more: the purchase has become a choice for
    /// the next period, or the account owns the product.
    func refusal(of terms: PurchaseTerms) -> PurchaseFailure? {
        let now = ConfirmedPayment(terms)
        let isDearer =
            now.currency != currency || now.milliunits > milliunits
            || later.map { now.later ?? 0 > $0 } ?? false || period.map { now.period != $0 } ?? false
        guard terms.subscription != nil else { return isDearer && terms.charges ? Self.changed : nil }
        let isOther = now.offer != offer || (terms.charges && now.change != change)
        return isDearer || isOther ? Self.changed : nil
    }

    static let changed = PurchaseFailure(
        .paymentCancelled,
        "The price or the terms have changed since they were confirmed: buy it again. Nothing was charged.")
}

extension DeviceRequest {
    /// The failure of a payment that waited, and whose terms aren't those that
    /// the customer has confirmed: also when the longer period for a contact
    /// was given with another purchase meanwhile.
    func refusal(of terms: PurchaseTerms) -> PurchaseFailure? {
        if contact != nil, terms.subscription?.contactBonus == nil { return ConfirmedPayment.changed }
        return confirmed?.refusal(of: terms)
    }
}
