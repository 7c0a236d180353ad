// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import StoreKit

/// A transaction in a session's store, as it was when it was read.
open class SKTestTransaction: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; its stored values are immutable.
    struct Contents: Sendable {
        var identifier: UInt
        var original: UInt
        var productIdentifier: String
        var purchaseDate: Date
        var cancelDate: Date?
        var expirationDate: Date?
        var renews = false
        var state: SKPaymentTransactionState
        var hasPurchaseIssue = false
        var waitsForApproval = false
        var waitsForConsent = false
    }

    private let contents: Contents

    /// The store's identifier of the transaction.
    open var identifier: UInt { contents.identifier }
    /// The identifier of the original purchase.
    open var originalTransactionIdentifier: UInt { contents.original }
    /// The identifier of the product.
    open var productIdentifier: String { contents.productIdentifier }
    /// The date of the purchase, or of its deferral or interruption.
    open var purchaseDate: Date { contents.purchaseDate }
    /// The date of the refund; `nil` without one.
    open var cancelDate: Date? { contents.cancelDate }
    /// The end of the subscription's period; `nil` for other products.
    open var expirationDate: Date? { contents.expirationDate }
    /// Whether the subscription renews after this period; `false` for an
    /// earlier period and for other products.
    open var autoRenewingEnabled: Bool { contents.renews }
    /// The state of the transaction.
    open var state: SKPaymentTransactionState { contents.state }
    /// Whether an issue interrupts the purchase, or the renewal after this
    /// period, until ``SKTestSession/resolveIssueForTransaction(identifier:)``.
    open var hasPurchaseIssue: Bool { contents.hasPurchaseIssue }
    /// Whether the purchase waits for an approval (Ask to Buy).
    open var pendingAskToBuyConfirmation: Bool { contents.waitsForApproval }
    /// Whether a price increase after this period waits for the customer's
    /// consent.
    open var isPendingPriceIncreaseConsent: Bool { contents.waitsForConsent }

    init(_ contents: Contents) {
        self.contents = contents
        super.init()
    }
}
