// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// Joins the pages of a queue's snapshot, so that the journal receives the
/// snapshot as a whole: an entry that a snapshot omits is removed.
///
/// A page that is lost with its stream leaves nothing behind.
struct SnapshotPages {
    private var first: QueueSnapshot?
    private var transactions: [TransactionInfo] = []

    /// Adds a page, and returns the snapshot after its last page.
    ///
    /// The snapshot has the position of its first page. The events after it
    /// contain the changes between two pages.
    ///
    /// - Throws: `StoreFailure` with the code `unreadableAnswer` when the page
    ///   is of another account than the one before, when it is empty and not
    ///   the last one, or when the journal has no room for so many
    ///   transactions.
    mutating func join(_ page: QueueSnapshot) throws -> QueueSnapshot? {
        if first == nil, page.next == nil { return page }
        guard page.position?.account == (first ?? page).position?.account else {
            throw StoreFailure(.unreadableAnswer, "The account has changed between two pages of the queue.")
        }
        transactions += page.transactions
        guard page.next == nil || !page.transactions.isEmpty, transactions.count <= Journal.entryLimit else {
            throw StoreFailure(.unreadableAnswer, "The store's queue has no end.")
        }
        var whole = first ?? page
        guard page.next == nil else {
            whole.transactions = []
            first = whole
            return nil
        }
        whole.transactions = transactions
        whole.next = nil
        self = SnapshotPages()
        return whole
    }
}
