// SPDX-License-Identifier: Apache-2.0

/// The transactions of an account in an app, and the renewal of its
/// subscriptions, at one moment: what `/verifyReceipt` tells in addition to
/// the receipt that was sent.
package struct ReceiptHistory: Sendable {
    /// The transactions of a history.
    package enum Extent: Hashable, Sendable {
        /// The newest period of each subscription, and all other products
        /// (`exclude-old-transactions`).
        case newestPeriods
        /// All that a receipt of this moment would list.
        case all
    }

    /// The transactions, newest first.
    package var transactions: [Purchase]
    /// The values that the rows of the transactions don't have.
    var details = ServedDetails()
    /// The transactions of `latest_receipt_info`.
    package var latest: [LatestTransaction] { transactions.map { LatestTransaction($0, details) } }
    /// One for each subscription.
    package var renewals: [RenewalInfo]
    /// Whether older transactions were left out.
    package var isCut = false

    /// The largest number of transactions of a history, beside the newest
    /// period of each subscription. Apple documents no limit. The answer with
    /// this many has some 10 MB.
    package static let longest = 10_000

    /// Joins the newest transactions with the newest periods, which may be
    /// older than those. `listed` has one more than ``longest`` when there are
    /// more.
    init(_ listed: [Purchase], newestPeriods: [Purchase], renewals: [RenewalInfo], longest: Int = Self.longest) {
        isCut = listed.count > longest
        let newest = listed.prefix(longest)
        let known = Set(newest.map(\.transactionIdentifier))
        let missing = newestPeriods.filter { !known.contains($0.transactionIdentifier) }
        transactions = missing.isEmpty ? Array(newest) : (newest + missing).sorted(by: Self.isNewer)
        self.renewals = renewals
    }

    private static func isNewer(_ left: Purchase, _ right: Purchase) -> Bool {
        (left.date, left.transactionIdentifier) > (right.date, right.transactionIdentifier)
    }
}
