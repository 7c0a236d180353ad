// SPDX-License-Identifier: Apache-2.0

extension InAppPurchase {
    /// The type of a product as a receipt numbers it. Numbers that this
    /// version doesn't know survive.
    public struct ProductTypeNumber: RawRepresentable, Hashable, Sendable {
        /// The number as it stands in the receipt.
        public var rawValue: Int

        /// The type of that number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Bought once, owned for good.
        public static let nonConsumable = ProductTypeNumber(rawValue: 0)
        /// Used up, and bought again.
        public static let consumable = ProductTypeNumber(rawValue: 1)
        /// A subscription that ends by itself.
        public static let nonRenewing = ProductTypeNumber(rawValue: 2)
        /// A subscription that renews until it is cancelled.
        public static let autoRenewable = ProductTypeNumber(rawValue: 3)
    }
}
