// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The terms to which a person agrees: those of the page that was shown, as its
/// form has brought them back. A value that the form doesn't have is `nil`, and
/// isn't compared.
package struct AgreedTerms: Hashable, Sendable {
    /// The values of ``ShownTerms`` with the same names.
    package var price: Money?
    package var change: PlanChange?
    package var offer: String?
    package var then: String?
    /// `nil` also when no contact is shared.
    package var bonus: String?

    package init(
        price: Money?, change: PlanChange? = nil, offer: String? = nil, then: String? = nil, bonus: String? = nil
    ) {
        self.price = price
        self.change = change
        self.offer = offer
        self.then = then
        self.bonus = bonus
    }

    /// Compares them with the terms that are about to apply.
    ///
    /// - Throws: ``DomainError`` `priceChanged` when they differ.
    func check(_ terms: ShownTerms) throws {
        if let price, terms.isOwned, price.milliunits != 0 {
            throw DomainError(
                .priceChanged, "You have bought this already. You get it again, and nothing is charged.",
                reason: .owned)
        }
        if let price, !terms.isOwned, price != terms.price {
            throw DomainError(
                .priceChanged,
                """
                In the store of your country the price is \(terms.price.decimal) \(terms.price.currency). \
                Nothing was charged yet.
                """)
        }
        let isOther =
            offer.map { $0 != terms.offer } ?? false || change.map { $0 != terms.change } ?? false
            || then.map { $0 != terms.then } ?? false || bonus.map { $0 != terms.bonus } ?? false
        if isOther {
            throw DomainError(
                .priceChanged, "The terms are other ones now: read them again. Nothing was charged yet.")
        }
    }
}
