// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

extension IssuingReceipt {
    /// What an app can ask a sandbox for, to see what it makes of such a
    /// receipt.
    package struct Properties: Hashable, Sendable {
        package var isExpired: Bool
        package var isRevoked: Bool
        package var isVolumePurchase: Bool

        package init(isExpired: Bool = false, isRevoked: Bool = false, isVolumePurchase: Bool = false) {
            self.isExpired = isExpired
            self.isRevoked = isRevoked
            self.isVolumePurchase = isVolumePurchase
        }

        /// A receipt as it is.
        package static let none = Properties()

        private static let day: TimeInterval = 86_400

        /// Apple says that there are such receipts, and not what is in them.
        /// The format has an expiration date for what was bought in volume
        /// (attribute 21), and a cancellation date for each purchase: a
        /// receipt that is revoked has all of them, as of now.
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
