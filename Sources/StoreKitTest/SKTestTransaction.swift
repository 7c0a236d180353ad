// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import StoreKit

/// A transaction in the store of a session, as it was when it was asked for.
open class SKTestTransaction: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; what it stores is immutable.
    struct Contents: Sendable {
        var identifier: UInt
        var original: UInt
        var productIdentifier: String
        var purchaseDate: Date
        var cancelDate: Date?
        var state: SKPaymentTransactionState
        var hasPurchaseIssue = false
        var waitsForApproval = false
    }

    private let contents: Contents

    /// The store's number of it.
    open var identifier: UInt { contents.identifier }
    /// The number of the first purchase of the same thing.
    open var originalTransactionIdentifier: UInt { contents.original }
    /// What was bought.
    open var productIdentifier: String { contents.productIdentifier }
    /// When it was bought, or asked for.
    open var purchaseDate: Date { contents.purchaseDate }
    /// When it was refunded; `nil` while it isn't.
    open var cancelDate: Date? { contents.cancelDate }
    /// When the subscription ends; `nil`, as the store sells none yet.
    open var expirationDate: Date? { nil }
    /// Whether the subscription goes on; `false`, as the store sells none yet.
    open var autoRenewingEnabled: Bool { false }
    /// How far it is.
    open var state: SKPaymentTransactionState { contents.state }
    /// Whether something interrupts it, which
    /// ``SKTestSession/resolveIssueForTransaction(identifier:)`` settles.
    open var hasPurchaseIssue: Bool { contents.hasPurchaseIssue }
    /// Whether somebody else has to approve it.
    open var pendingAskToBuyConfirmation: Bool { contents.waitsForApproval }
    /// Whether a price increase waits for consent; `false`, as the store
    /// sells no subscriptions yet.
    open var isPendingPriceIncreaseConsent: Bool { false }

    init(_ contents: Contents) {
        self.contents = contents
        super.init()
    }
}
