// SPDX-License-Identifier: Apache-2.0

/// Which promoted products an app shows on one device, and in which order
/// (`SKProductStorePromotionController`).
package struct DevicePromotions: Hashable, Sendable {
    /// The product that is shown before all others, if it is promoted.
    package var first: ProductIdentifier?
    /// The products that come next, in this order.
    package var order: [ProductIdentifier]
    /// Products that are promoted on the device, and perhaps not by the seller.
    package var shown: [ProductIdentifier]
    package var hidden: Set<ProductIdentifier>

    package init(
        first: ProductIdentifier? = nil, order: [ProductIdentifier] = [], shown: [ProductIdentifier] = [],
        hidden: Set<ProductIdentifier> = []
    ) {
        self.first = first
        self.order = order
        self.shown = shown
        self.hidden = hidden
    }

    /// The promoted products as the device shows them: those that every
    /// visitor sees, and those that the device shows.
    func applied(to promoted: [PromotedProduct]) -> [ProductIdentifier] {
        applied(to: promoted.filter { $0.isVisible || shown.contains($0.product) }.map(\.product))
    }

    /// The promoted products as the device shows them, at most
    /// ``PromotedProduct/limit``. Those without a place keep the seller's order.
    func applied(to promoted: [ProductIdentifier]) -> [ProductIdentifier] {
        var products: [ProductIdentifier] = []
        var known: Set<ProductIdentifier> = []
        let all = (promoted + shown).filter { !hidden.contains($0) && known.insert($0).inserted }
        for product in (first.map { [$0] } ?? []) + order + all where known.remove(product) != nil {
            products.append(product)
        }
        return Array(products.prefix(PromotedProduct.limit))
    }
}
