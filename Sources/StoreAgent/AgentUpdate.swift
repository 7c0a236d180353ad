// SPDX-License-Identifier: Apache-2.0

package import StoreAPI
package import StoreCore

/// An update for an observer of the queue.
package enum AgentUpdate: Sendable, Hashable {
    /// Transactions that are new, or whose state has changed.
    case updated([AgentTransaction])
    /// Transactions that have left the queue.
    case removed([AgentTransaction])
    /// Downloads of delivered transactions whose state or progress has
    /// changed.
    case downloads([AgentDownload])
    /// A restore of this process has ended, and its transactions were
    /// delivered.
    case restoreFinished
    /// A restore of this process has failed.
    case restoreFailed(PurchaseFailure)
    /// The customer has lost these products by a refund, and the receipt on
    /// disk reflects that.
    ///
    /// The update is delivered again after the next launch, until
    /// ``Agent/acknowledge(_:)`` is called. It isn't delivered for a refund
    /// made while the account wasn't signed in; the account's next receipt
    /// reflects that one.
    case revoked([RevokedProduct])
    /// The higher price of a subscription waits for the customer's consent.
    /// The sheet is shown by ``Agent/showPriceConsent()``.
    ///
    /// Each increase is an update once in a process, and again in the app's
    /// next launch.
    case priceIncrease
    /// The customer's storefront isn't the one that this process knew.
    case storefrontChanged(StorefrontInfo, before: StorefrontInfo)
}
