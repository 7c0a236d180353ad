// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
package import Foundation
package import StoreDomain

/// The current state of a receipt's transactions and subscriptions.
package enum CurrentReceipt: Sendable {
    case app(CurrentAppReceipt)
    case transaction(CurrentTransactionReceipt)
}

/// The current state of an app receipt.
package struct CurrentAppReceipt: Sendable {
    package var contents: AppReceipt
    /// The purchases in it that a receipt made now would list.
    package var listed: [InAppPurchase]
    /// The account's time; the wall's when no account is known.
    package var now: Date
    /// `nil` for a receipt without a subscription.
    package var latest: LatestReceipt?

    init(
        _ contents: AppReceipt, listed: [InAppPurchase], _ found: LookingUpReceipt.Found,
        _ extent: ReceiptHistory.Extent
    ) {
        self.contents = contents
        self.listed = listed
        now = found.now.date
        if let history = found.history {
            latest = LatestReceipt(history, receipt: found.latest)
        } else if contents.hasSubscription {
            latest = LatestReceipt(listed, extent, at: now)
        }
    }
}

/// The current state of a transaction receipt.
package struct CurrentTransactionReceipt: Sendable {
    /// The receipt of a transaction, with the date of its refund.
    package struct Period: Sendable {
        package var contents: TransactionReceipt
        package var revoked: Date?
    }

    /// The receipt that was sent.
    package var sent: Period
    /// The newest period of the subscription; `nil` for any other product.
    package var newest: Period?
    /// The signed receipt of that period; `nil` when it is the one that was
    /// sent, or can't be signed.
    package var latest: Data?
    /// Whether the subscription has ended.
    package var isExpired: Bool
    /// `nil` when nothing is known of the renewal.
    package var renewal: RenewalInfo?

    init(_ contents: TransactionReceipt, _ found: LookingUpTransactionReceipt.Found) {
        sent = Period(contents: contents, revoked: found.state?.revoked?.date)
        if let period = found.newest {
            newest = Period(contents: period.contents, revoked: period.revoked?.date)
            latest = period.receipt
            isExpired = period.isOver
            renewal = period.renewal
        } else {
            newest = contents.expirationDate.map { [sent] _ in sent }
            isExpired = contents.expirationDate.map { $0 <= found.now.date } ?? false
        }
    }
}
