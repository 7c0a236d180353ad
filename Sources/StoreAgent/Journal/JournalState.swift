// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// The journal's state apart from its entries.
struct JournalState: Sendable, Hashable {
    /// The last sequence number of an entry or app request.
    var sequence: Int64
    /// The number of requests for the whole queue so far.
    var question: Int64
    /// `Sandbox` or `Production`; `nil` before the store has answered.
    var environment: String?
    /// The position of the last event that was applied.
    var position: EventPosition?
    /// The position up to which the receipt on disk is current.
    var receipt: EventPosition?
    /// Whether that receipt has to be fetched again, as it is or newer, because
    /// its list wasn't compared with a transaction that arrived later.
    var needsReceiptAgain = false
    /// The number of requests for the whole queue when that receipt arrived.
    var receiptQuestion: Int64 = 0
    /// The number of the request whose snapshot was applied last.
    var snapshotQuestion: Int64 = 0
    /// The position that the receipt on disk has to reach.
    var wantedReceipt: EventPosition?
    /// The storefront of the account that was signed in last.
    var storefront: StorefrontInfo?
    /// The difference between the account's time and the device's, in
    /// milliseconds.
    var clockOffset: Int64 = 0
    /// The price increases that wait for the customer's consent; `nil` until
    /// the event stream has sent them since it was opened.
    var priceIncreases: [String]?

    /// Whether the receipt on disk is older than required, another account's,
    /// or required again.
    var needsReceipt: Bool {
        guard let wantedReceipt else { return false }
        guard let receipt, receipt.account == wantedReceipt.account else { return true }
        return receipt.number < wantedReceipt.number || needsReceiptAgain
    }

    /// Requires a receipt of at least a position.
    mutating func wantReceipt(_ position: EventPosition) {
        if let wanted = wantedReceipt, wanted.account == position.account, wanted.number >= position.number { return }
        wantedReceipt = position
    }

    /// The account whose receipt belongs on this device.
    var receiptAccount: String? { (wantedReceipt ?? position)?.account }

    /// Requires receipts of the account that the store has answered for.
    ///
    /// Does nothing when the required account has changed since the request
    /// was sent: the answer is late then.
    mutating func follow(_ answered: EventPosition, askedFor account: String?) {
        guard answered.account != receiptAccount, account == receiptAccount else { return }
        wantedReceipt = answered
    }

    /// Discards the receipt's position and requires a new receipt when the
    /// queue's snapshot is older: the store was restored from a backup.
    mutating func noticeBackup(_ snapshot: EventPosition) {
        let known = [receipt, wantedReceipt].compactMap { $0 }.filter { $0.account == snapshot.account }
        guard known.contains(where: { $0.number > snapshot.number }) else { return }
        receipt = nil
        wantedReceipt = snapshot
    }

    /// Whether a newer receipt has arrived since a snapshot was requested. The
    /// snapshot is late then. A later snapshot of the same stream is newer than
    /// the receipt.
    func hasLaterReceipt(than snapshot: EventPosition, question: Int64) -> Bool {
        guard let receipt, receipt.account == snapshot.account, receipt.number > snapshot.number else { return false }
        return receiptQuestion >= question && snapshotQuestion < question
    }

    /// Whether the journal has all events up to the receipt on disk. Until
    /// then, one of them may remove a transaction that the receipt doesn't
    /// list any more: it was finished on another device, or refunded.
    var hasEventsOfReceipt: Bool {
        receipt.map(hasEvents(upTo:)) ?? false
    }

    /// Whether the journal has all events up to a position.
    func hasEvents(upTo other: EventPosition) -> Bool {
        guard let position else { return false }
        return position.account == other.account && position.number >= other.number
    }

    /// Whether a transaction that a receipt has to contain may be delivered
    /// with the receipt on disk.
    ///
    /// An entry that left with its account needs the events: the account's
    /// other devices may have received the transaction meanwhile.
    func mayDeliver(_ entry: JournalEntry) -> Bool {
        guard let receipt else { return false }
        return hasEventsOfReceipt || entry.listed == receipt.number && entry.phase != .away
    }

    /// Requires a receipt again that was fetched before a transaction arrived
    /// in an answer, so that its list is compared with the transaction: the
    /// events up to the receipt may be late. The receipt keeps its position, so
    /// that a late answer with an older one doesn't replace it.
    mutating func wantReceiptAgain(for position: EventPosition?) {
        guard let position, let receipt, receipt.account == position.account, receipt.number >= position.number,
            !hasEventsOfReceipt
        else { return }
        needsReceiptAgain = true
        wantReceipt(position)
    }

    /// Whether a receipt with a position may replace the one on disk.
    ///
    /// Without a receipt on disk it has to be as new as required: the receipt
    /// that was removed may have made transactions ready that an older one
    /// doesn't list.
    func mayReplaceReceipt(with position: EventPosition) -> Bool {
        guard position.account == receiptAccount else { return false }
        guard let receipt else { return wantedReceipt.map { $0.number <= position.number } ?? true }
        return receipt.account != position.account || receipt.number <= position.number
    }
}
