// SPDX-License-Identifier: Apache-2.0

package import StoreAPI

/// An app's request to buy a product.
package struct AgentPayment: Sendable, Hashable {
    /// The product's identifier, as the seller registered it.
    package var productIdentifier: String
    /// The quantity; the store refuses numbers other than 1 to 10.
    package var quantity: Int
    /// The app's name for its user, if the app has set one.
    package var applicationUsername: String?
    /// Whether the sandbox simulates Ask to Buy: the payment waits for
    /// approval.
    package var simulatesAskToBuy: Bool
    /// A promotional offer, which the store verifies.
    package var discount: DiscountInfo?
    /// The identifier of a win-back offer; `nil` for a payment without one.
    package var winBackOffer: String?
    /// The seller's decision whether the customer gets the introductory offer,
    /// as a JWS; `nil` when the store decides.
    package var introductoryOfferEligibility: String?
    /// Whether a task waits for the decision (StoreKit 2). A failure of such
    /// a payment needs no finish by the app.
    package var isAwaited: Bool

    /// Makes a payment; its values aren't checked here.
    package init(
        productIdentifier: String, quantity: Int = 1, applicationUsername: String? = nil,
        simulatesAskToBuy: Bool = false, discount: DiscountInfo? = nil, winBackOffer: String? = nil,
        introductoryOfferEligibility: String? = nil, isAwaited: Bool = false
    ) {
        self.productIdentifier = productIdentifier
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.simulatesAskToBuy = simulatesAskToBuy
        self.discount = discount
        self.winBackOffer = winBackOffer
        self.introductoryOfferEligibility = introductoryOfferEligibility
        self.isAwaited = isAwaited
    }
}
