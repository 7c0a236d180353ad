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
    /// A purchase of the receipt, with the values that the receipt doesn't have.
    package struct Listed: Sendable {
        package var purchase: InAppPurchase
        package var isShared = false
        package var cancellationReason: Int64 = 0
    }

    package var contents: AppReceipt
    /// The purchases in it, with later refunds.
    package var listed: [Listed]
    /// The account's time; the wall's when no account is known.
    package var now: Date
    /// `nil` for a receipt without a subscription, unless the history was asked for.
    package var latest: LatestReceipt?
    /// Whether the receipt has a subscription: others have neither `latest_receipt` nor `pending_renewal_info`.
    package var hasSubscription: Bool { contents.hasSubscription }

    init(
        _ contents: AppReceipt, listed: [Listed], _ found: LookingUpReceipt.Found,
        _ extent: ReceiptHistory.Extent
    ) {
        self.contents = contents
        self.listed = listed
        now = found.now.date
        if let history = found.history {
            latest = LatestReceipt(history, receipt: found.latest)
        } else if contents.hasSubscription {
            latest = LatestReceipt(listed.map(\.purchase), extent, at: now)
        }
    }
}

/// The current state of a transaction receipt.
package struct CurrentTransactionReceipt: Sendable {
    /// The receipt of a transaction, with the date of its refund.
    package struct Period: Sendable {
        package var contents: TransactionReceipt
        package var revoked: Date?
        /// Why it was refunded: `cancellation_reason`.
        package var reason: Int64 = 0
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
        sent = Period(contents: contents, revoked: found.state?.revoked?.date, reason: found.reason)
        if let period = found.newest {
            newest = Period(contents: period.contents, revoked: period.revoked?.date, reason: period.reason)
            latest = period.receipt
            isExpired = period.isOver
            renewal = period.renewal
        } else {
            newest = contents.expirationDate.map { [sent] _ in sent }
            isExpired = contents.expirationDate.map { $0 <= found.now.date } ?? false
        }
    }
}
