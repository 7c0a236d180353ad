// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// The state of the signed transactions in the journal.
struct SignedState: Sendable, Hashable {
    /// The account of the rows, and the number of the event up to which they
    /// are complete; `nil` before the first pages are complete.
    var position: EventPosition?
    /// The account of the rows; `nil` without any.
    var account: String?
    /// The place after which the next page begins.
    var place: String?
    /// Whether a page was saved whose last page wasn't.
    var isPartial = false
    /// Whether the app has used signed transactions.
    var isUsed = false
    /// The number of the last change of a row.
    var change: Int64 = 0
    /// The changes up to this number were delivered to the app, or were in the
    /// first pages and are no news.
    var delivered: Int64 = 0
    /// `wanted` counts the reasons to ask the store besides its events; `known`
    /// is the count that the last answer covers.
    var wanted: Int64 = 0
    var known: Int64 = 0
    /// The signed app transaction.
    var app: String?

    /// Whether the store has to be asked, after the events up to a position.
    func needsPages(after events: EventPosition?) -> Bool {
        guard isUsed else { return false }
        if known < wanted || isPartial { return true }
        guard let events else { return false }
        guard let position, position.account == events.account else { return true }
        return position.number < events.number
    }

    /// Whether a page that is still to come may have the transaction of an
    /// event as it was before its finish.
    func expects(_ event: EventPosition?) -> Bool {
        guard isUsed, let event else { return false }
        guard let position else { return account == nil || account == event.account }
        return position.account == event.account && position.number < event.number
    }

    /// Empties the state for the pages of an account.
    mutating func begin(_ account: String) {
        self.account = account
        position = nil
        place = nil
        app = nil
        isPartial = false
        delivered = change
    }
}
