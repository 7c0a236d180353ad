// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
import StoreDomain

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
        case .app(let receipt): receipt.hasSubscription
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
