// SPDX-License-Identifier: Apache-2.0

extension InAppPurchase {
    /// The number of a product's type in a receipt.
    ///
    /// A number without a constant here is kept as it is.
    public struct ProductTypeNumber: RawRepresentable, Hashable, Sendable {
        /// The number in the receipt.
        public var rawValue: Int

        /// The type of that number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Bought once and owned permanently.
        public static let nonConsumable = ProductTypeNumber(rawValue: 0)
        /// Used up, and can be bought again.
        public static let consumable = ProductTypeNumber(rawValue: 1)
        /// A subscription that ends without a renewal.
        public static let nonRenewing = ProductTypeNumber(rawValue: 2)
        /// A subscription that renews until it is cancelled.
        public static let autoRenewable = ProductTypeNumber(rawValue: 3)
    }
}
