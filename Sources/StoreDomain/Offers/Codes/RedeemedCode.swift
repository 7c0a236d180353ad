// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The code with which a request pays, as its row contains it. The text of the
/// code isn't in it.
package struct RedeemedCode: Hashable, Sendable, Codable {
    /// The number of the redemption: that of the payment with which the
    /// customer has confirmed it, also when it is paid by another one later.
    var number: String
    var hash: String
    var batch: String
    /// The raw value of ``OfferCodeBatch/Kind``.
    var kind: String
    /// The name of the offer; empty for a promo code.
    var offer: String

    init(_ hash: String, of batch: OfferCodeBatch, number: PaymentIdentifier) {
        self.number = number.rawValue
        self.hash = hash
        self.batch = batch.identifier
        kind = batch.kind.rawValue
        offer = batch.offer
    }

    /// Whether it gives the product itself, for nothing and once.
    var isPromo: Bool { kind == OfferCodeBatch.Kind.promo.rawValue }

    /// The customers of a subscription who get it.
    func eligibility(for product: Product) -> Set<Product.Offer.Eligibility> {
        isPromo ? [.new, .expired] : product.codeOffer(offer)?.eligibility ?? []
    }

    /// Why a payment with it fails, as far as the product says it; `nil` when
    /// it can be made.
    func refusal(product: Product) -> PurchaseFailure? {
        guard !isPromo, product.codeOffer(offer) == nil else { return nil }
        return PurchaseFailure(
            .invalidOfferIdentifier,
            "\"\(product.productIdentifier)\" has no offer \"\(offer)\" any more. Nothing was charged.")
    }

    /// The price of a product that isn't a subscription, with the code.
    func price(of product: Product, in storefront: Storefront) -> Money {
        guard !isPromo, let offer = product.codeOffer(offer), offer.mode != .free else {
            return Money(milliunits: 0, currency: storefront.currency)
        }
        return product.price(of: offer, in: storefront)
    }

    /// The offer that a subscription gets; `nil` when it doesn't exist any
    /// more. A promo code gives one period for nothing.
    func applied(to product: Product, in storefront: Storefront) -> AppliedOffer? {
        if isPromo, let plan = product.plan {
            return AppliedOffer(
                kind: .code, identifier: "", mode: .free, period: plan.period, periods: 1, number: 1,
                price: Money(milliunits: 0, currency: storefront.currency), regularPrice: product.price(in: storefront),
                storefront: storefront.countryCode)
        }
        return product.codeOffer(offer).map { AppliedOffer($0, for: product, in: storefront) }
    }

    /// Whether the introductory offer comes first.
    func followsIntroduction(of product: Product) -> Bool {
        !isPromo && product.codeOffer(offer)?.isStackable == true
    }
}
