// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
package import Foundation

/// A receipt that this store has signed, of its own environment.
package enum VerifiedReceipt: Sendable {
    /// An app receipt.
    case app(AppReceipt)
    /// A receipt of a single transaction, the format that app receipts
    /// replaced.
    case transaction(TransactionReceipt)

    package var bundleIdentifier: String {
        switch self {
        case .app(let receipt): receipt.bundleIdentifier
        case .transaction(let receipt): receipt.bundleIdentifier
        }
    }

    /// Whether it contains a subscription, so that a request about it has to
    /// name the app's shared secret.
    package var hasSubscription: Bool {
        switch self {
        case .app(let receipt): receipt.inAppPurchases.contains { $0.subscriptionExpirationDate != nil }
        case .transaction(let receipt): receipt.expirationDate != nil
        }
    }

    var isOfProduction: Bool {
        switch self {
        case .app(let receipt): receipt.environment.isProduction
        case .transaction(let receipt): receipt.environment == .production
        }
    }
}

/// The current state of a receipt's transactions.
package enum CurrentReceipt: Sendable {
    /// An app receipt, and the purchases that a receipt made now would list of
    /// those in it.
    case app(AppReceipt, listed: [InAppPurchase], at: Date)
    /// A transaction receipt, with the date of its refund, and whether its
    /// subscription has ended.
    case transaction(TransactionReceipt, revoked: Date?, isExpired: Bool)
}
