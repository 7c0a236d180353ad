// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

/// An event of the store that changes the journal. Each kind has a file of its
/// own beside this one.
protocol JournalledEvent: StoreEventContent {
    /// The transactions that it brings, and the position to check them
    /// against.
    var arrivals: (transactions: [TransactionInfo], position: EventPosition?) { get }

    /// Changes the journal, in one transaction. `question` is the number of
    /// the last request for the whole queue before the stream was opened.
    func apply(_ connection: any Connection, question: Int64, now: Int64) throws
}

/// An event that changes the journal once, and moves its position.
protocol NumberedJournalledEvent: JournalledEvent, NumberedEvent {
    /// Makes the event's own change.
    func change(_ connection: any Connection, question: Int64, now: Int64) throws
}

extension NumberedJournalledEvent {
    var arrivals: (transactions: [TransactionInfo], position: EventPosition?) { ([], nil) }

    func apply(_ connection: any Connection, question: Int64, now: Int64) throws {
        guard try JournalState.load(connection).isNews(position) else { return }
        try change(connection, question: question, now: now)
        try JournalState.update(connection) { $0.position = position }
    }
}

extension JournalState {
    /// Whether an event may be missing from the journal. Several events can
    /// share one number, so an event with the last number is applied again.
    func isNews(_ other: EventPosition) -> Bool {
        guard let position, position.account == other.account else { return true }
        return other.number >= position.number
    }
}
