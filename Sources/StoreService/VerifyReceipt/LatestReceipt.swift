// SPDX-License-Identifier: Apache-2.0

import AppReceipts
package import Foundation
package import StoreDomain

/// The subscriptions of a receipt's account and app now, with its other
/// transactions.
package struct LatestReceipt: Sendable {
    /// A receipt of this moment for the same device; `nil` when the one that
    /// was sent lists the same purchases.
    package var receipt: Data?
    /// Newest first.
    package var transactions: [LatestTransaction]
    package var renewals: [RenewalInfo]
    /// Whether older transactions were left out.
    package var isCut = false

    init(_ history: ReceiptHistory, receipt: Data?) {
        self.receipt = receipt
        transactions = history.latest
        renewals = history.renewals
        isCut = history.isCut
    }

    /// Takes the purchases of a receipt whose account isn't known, because it
    /// was made by hand.
    init(_ listed: [InAppPurchase], _ extent: ReceiptHistory.Extent, at now: Date) {
        let newestFirst = listed.sorted { Self.end(of: $0) > Self.end(of: $1) }
        var seen: Set<String> = []
        let newestPeriods = newestFirst.filter {
            $0.subscriptionExpirationDate != nil && seen.insert($0.originalTransactionIdentifier).inserted
        }
        let others = newestFirst.filter { $0.subscriptionExpirationDate == nil }
        transactions = (extent == .all ? newestFirst : newestPeriods + others).map { LatestTransaction(purchase: $0) }
        renewals = newestPeriods.map { RenewalInfo($0, at: now) }
    }

    private static func end(of purchase: InAppPurchase) -> Date {
        purchase.subscriptionExpirationDate ?? purchase.purchaseDate
    }
}

extension RenewalInfo {
    /// The renewal of a subscription as far as its last period shows it.
    fileprivate init(_ last: InAppPurchase, at now: Date) {
        let isOver = last.cancellationDate != nil || (last.subscriptionExpirationDate ?? now) <= now
        let product = ProductIdentifier(last.productIdentifier)
        // A receipt doesn't contain the reason of an end.
        self.init(
            original: OriginalTransactionIdentifier(last.originalTransactionIdentifier), product: product,
            nextProduct: product, renews: !isOver, reason: isOver ? .other : nil, isRetried: false, graceEnd: nil)
    }
}
