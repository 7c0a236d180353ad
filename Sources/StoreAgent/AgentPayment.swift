// SPDX-License-Identifier: Apache-2.0

package import StoreAPI

/// What an app wants to buy.
package struct AgentPayment: Sendable, Hashable {
    /// The product's identifier, as the seller registered it.
    package var productIdentifier: String
    /// How many; the store refuses all but 1 to 10.
    package var quantity: Int
    /// The app's own name for its user, if it has told one.
    package var applicationUsername: String?
    /// Whether the sandbox shall behave as if a child were asking.
    package var simulatesAskToBuy: Bool
    /// A promotional offer, for the store to decide about.
    package var discount: DiscountInfo?

    /// Makes a payment; nothing is checked before the store sees it.
    package init(
        productIdentifier: String, quantity: Int = 1, applicationUsername: String? = nil,
        simulatesAskToBuy: Bool = false, discount: DiscountInfo? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.simulatesAskToBuy = simulatesAskToBuy
        self.discount = discount
    }
}
