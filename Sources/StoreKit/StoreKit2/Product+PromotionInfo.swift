// SPDX-License-Identifier: Apache-2.0

import StoreAgent

@available(iOS 16.4, *)
@available(macOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
@available(visionOS, unavailable)
extension Product {
    /// Whether this device shows a promoted product, and its place in the order.
    ///
    /// The settings are those of ``SKProductStorePromotionController``: they
    /// override the seller's, on this device and for this app. The device
    /// stores them. This store has no page that promotes products yet.
    public struct PromotionInfo: Equatable, Sendable {
        /// Whether a promoted product is shown.
        public enum Visibility: Int, Sendable {
            /// As the seller has registered it.
            case appStoreConnectDefault
            /// The product is shown.
            case visible
            /// The product is hidden.
            case hidden
        }

        /// The product's identifier.
        public let productID: Product.ID
        /// Whether the product is shown. A change takes effect with
        /// ``update()`` or ``updateAll(_:)``.
        public var visibility: Product.PromotionInfo.Visibility

        init(_ productID: Product.ID, _ promotions: Promotions) {
            self.productID = productID
            visibility =
                promotions.visibility[productID].flatMap(Visibility.init(rawValue:)) ?? .appStoreConnectDefault
        }

        /// The products whose order was set, in this order, then those of which
        /// only the visibility was set, by their identifiers.
        ///
        /// - Throws: ``StoreKitError`` `systemError` when the device's data
        ///   can't be read; `CancellationError`.
        public static var currentOrder: [Product.PromotionInfo] {
            get async throws {
                try await AgentHost.shared.perform(nil) { agent in
                    let promotions = try await agent.storedPromotions()
                    let others = promotions.visibility.keys.filter { !promotions.order.contains($0) }
                    return (promotions.order + others.sorted()).map { PromotionInfo($0, promotions) }
                }
            }
        }

        /// Saves the visibility of the product.
        ///
        /// - Throws: ``StoreKitError`` `systemError` when the device's data
        ///   can't be written; `CancellationError`.
        public func update() async throws {
            try await Self.updateProductVisibility(visibility, for: productID)
        }

        /// Sets the order of products. All other products follow them, in the
        /// seller's order.
        ///
        /// - Throws: The errors of ``update()``.
        public static func updateProductOrder(byID order: some Collection<Product.ID>) async throws {
            let order = Array(order)
            try await change { $0.order = order }
        }

        /// Sets whether a product is shown.
        ///
        /// - Throws: The errors of ``update()``.
        public static func updateProductVisibility(
            _ visibility: Product.PromotionInfo.Visibility, for productID: Product.ID
        ) async throws {
            try await change { $0.show(productID, visibility) }
        }

        /// Sets the order of products, and whether each is shown.
        ///
        /// - Throws: The errors of ``update()``.
        public static func updateAll(_ promotions: some Collection<Product.PromotionInfo>) async throws {
            let promotions = Array(promotions)
            try await change { stored in
                stored.order = promotions.map(\.productID)
                for promotion in promotions { stored.show(promotion.productID, promotion.visibility) }
            }
        }

        private static func change(_ change: @escaping @Sendable (inout Promotions) -> Void) async throws {
            try await AgentHost.shared.perform(nil) { try await $0.changePromotions(change) }
        }
    }
}

extension Promotions {
    fileprivate mutating func show(_ product: String, _ setting: Product.PromotionInfo.Visibility) {
        visibility[product] = setting == .appStoreConnectDefault ? nil : setting.rawValue
    }
}
