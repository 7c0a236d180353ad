// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// A promotional offer that a payment names (`SKPaymentDiscount`), as the
/// seller's server has signed it.
package struct Offer: Hashable, Sendable {
    package var identifier: String
    /// The identifier of the key that made the signature.
    package var keyIdentifier: String
    /// Base64 of an ECDSA signature in DER.
    package var signature: String

    package init(identifier: String, keyIdentifier: String, signature: String) {
        self.identifier = identifier
        self.keyIdentifier = keyIdentifier
        self.signature = signature
    }

    /// The failure of a payment with this offer. Every such payment fails,
    /// because offers apply to subscriptions, which this store doesn't sell
    /// yet.
    func refusal(product: Product) -> PurchaseFailure? {
        guard !identifier.isEmpty, !keyIdentifier.isEmpty, !signature.isEmpty else {
            return PurchaseFailure(
                .missingOfferParams, "An offer needs its identifier, the identifier of its key, and a signature.")
        }
        return PurchaseFailure(
            .invalidOfferIdentifier, "\"\(product.productIdentifier)\" has no promotional offer \"\(identifier)\".")
    }
}
