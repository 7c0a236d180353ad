// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The terms of a payment as its page has shown them, and the contact that
/// the customer has typed there.
struct ConfirmedTerms: Hashable, Sendable {
    /// The price; `nil` when it isn't known.
    var price: Money?
    /// The consequence for the account's subscription; `nil` when it isn't
    /// known.
    var change: PlanChange?
    /// The ``AppliedOffer/summary`` of the offer, empty for none; `nil` when it
    /// isn't known.
    var offer: String?
    /// `nil` when the customer shares nothing.
    var contact: SharedContact?
    /// The payment method that the customer has chosen; `nil` for the preferred
    /// one.
    var method: PaymentMethodIdentifier?
    /// The tokens of the link that the customer has clicked in the day before;
    /// `nil` without one.
    var tokens: CampaignTokens?

    /// Compares the confirmed price, consequence and offer with the terms of
    /// now.
    ///
    /// - Throws: ``DomainError`` `priceChanged` when they differ.
    func check(_ terms: PurchaseTerms) throws {
        if let price, terms.owned != nil, price.milliunits != 0 {
            throw DomainError(
                .priceChanged, "You have bought this already. You get it again, and nothing is charged.",
                reason: .owned)
        }
        if let price, terms.owned == nil, price != terms.whole {
            throw DomainError(
                .priceChanged,
                """
                In the store of your country the price is \(terms.whole.decimal) \(terms.whole.currency). \
                Nothing was charged yet.
                """)
        }
        let isOtherOffer = offer.map { $0 != terms.subscription?.offer?.summary ?? "" } ?? false
        if isOtherOffer || change.map({ $0 != terms.change }) ?? false {
            throw DomainError(
                .priceChanged,
                "The terms for your account are other ones: read them again. Nothing was charged yet.")
        }
    }
}
