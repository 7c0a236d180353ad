// SPDX-License-Identifier: Apache-2.0

/// Whether an account owns a product that can be owned once.
enum Ownership: Hashable, Sendable {
    /// It doesn't; also for a product that can be bought many times.
    case notOwned
    case owned(Purchase)
    /// Another payment for the product isn't decided yet.
    case paymentUnderWay
}

/// The product of a payment, the account that pays, and the price for it.
struct PurchaseTerms: Hashable, Sendable {
    var account: Account
    var product: Product
    /// The account's purchase of the product, when it is a non-consumable
    /// that the account owns: the product is given again without a charge.
    var owned: Purchase?
    /// The price for an account that doesn't own the product.
    var whole: Money

    var price: Money { owned == nil ? whole : Money(milliunits: 0, currency: whole.currency) }

    /// - Throws: ``DomainError``: `underWay` while another payment for a
    ///   product that can be owned once is undecided, `invalid` when the price
    ///   is too large.
    init(of request: DeviceRequest, _ product: Product, for account: Account, _ ownership: Ownership) throws {
        self.account = account
        self.product = product
        switch ownership {
        case .notOwned: owned = nil
        case .owned(let purchase): owned = purchase
        case .paymentUnderWay:
            throw DomainError(.underWay, "A payment for this is under way already: wait a moment.")
        }
        guard let whole = product.price(in: account.storefront).times(request.quantity) else {
            throw DomainError(.invalid, "The price is too large.")
        }
        self.whole = whole
    }
}
