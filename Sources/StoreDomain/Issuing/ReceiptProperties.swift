// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

extension IssuingReceipt {
    /// Properties that an app can ask for in a sandbox receipt, to test how
    /// it handles such a receipt.
    package struct Properties: Hashable, Sendable {
        /// Whether the receipt expired a day before its creation date.
        package var isExpired: Bool
        /// Whether the receipt and all its purchases are revoked, at its
        /// creation date.
        package var isRevoked: Bool
        /// Whether the receipt has the environment of volume purchases.
        package var isVolumePurchase: Bool

        package init(isExpired: Bool = false, isRevoked: Bool = false, isVolumePurchase: Bool = false) {
            self.isExpired = isExpired
            self.isRevoked = isRevoked
            self.isVolumePurchase = isVolumePurchase
        }

        /// A receipt without special properties.
        package static let none = Properties()

        private static let day: TimeInterval = 86_400

        /// Applies the properties to a receipt.
        ///
        /// Apple documents that there are such receipts, but not their
        /// contents. The format has an expiration date for volume purchases
        /// (attribute 21), and a cancellation date for each purchase. A
        /// revoked receipt has all of them, set to its creation date; an
        /// expired one expired a day before.
        func apply(to receipt: inout AppReceipt) {
            if isVolumePurchase { receipt.environment = .sandboxVolumePurchase }
            if isRevoked {
                receipt.expirationDate = receipt.creationDate
                for index in receipt.inAppPurchases.indices
                where receipt.inAppPurchases[index].cancellationDate == nil {
                    receipt.inAppPurchases[index].cancellationDate = receipt.creationDate
                }
            }
            if isExpired { receipt.expirationDate = receipt.creationDate.addingTimeInterval(-Self.day) }
        }
    }
}
