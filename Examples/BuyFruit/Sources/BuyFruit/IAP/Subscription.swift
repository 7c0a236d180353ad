// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The customer's subscription, computed from the receipt. All plans of this
/// app are in one group, so that at most one of them is paid at a time.
struct Subscription: Hashable, Sendable {
    /// The plan whose period began last.
    var product: String
    /// The end of that period.
    var paidUntil: Date
    /// Whether the period has not ended.
    var isPaid: Bool

    /// The subscription at a moment; `nil` when none was ever bought, or all
    /// of it was refunded.
    ///
    /// The last period counts, and not the longest: an upgrade begins within
    /// the period that it replaces.
    init?(_ receipt: ReceiptContents, at now: Date) {
        guard let last = receipt.periods.max(by: { ($0.start, $0.end) < ($1.start, $1.end) }) else { return nil }
        product = last.product
        paidUntil = last.end
        // The receipt can be of a later time than this computer's: that of a
        // test account, whose clock was moved.
        isPaid = max(now, receipt.creationDate) < last.end
    }

    /// The end of the last period for the customer, with the time of day: the
    /// periods of a test account can be minutes long.
    var endText: String { paidUntil.formatted(date: .long, time: .shortened) }

    /// The subscription now.
    static var current: Subscription? {
        Receipt.contents.flatMap { Subscription($0, at: Date()) }
    }
}
