// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import Testing

@testable import StoreAgent

/// The journal's changes that follow from the phase of an entry.
struct JournalPhaseTests {
    private let journal: Journal
    private let now: Int64 = 1_700_000_000_000
    private let identifier = TransactionInfo.apple().transactionIdentifier

    init() throws {
        journal = try Journal(try SQLiteDatabase(.memory), device: "phone")
    }

    @Test("A transaction that waits for a receipt makes the journal require that receipt")
    func waitingTransactionRequiresAReceipt() async throws {
        try await journal.apply(.transaction(.apple(), .at(5)), question: 0, now: now)

        #expect(try await journal.entry(identifier)?.phase == .arrived)
        #expect(try await journal.state().wantedReceipt == .at(5))
    }

    @Test("A position makes the journal require a receipt only if the receipt has changed")
    func changedReceiptIsRequired() async throws {
        try await journal.apply(.position(.at(5)), question: 0, now: now)
        #expect(try await journal.state().wantedReceipt == nil)

        try await journal.apply(.position(.at(6), receiptChanged: true), question: 0, now: now)
        #expect(try await journal.state().wantedReceipt == .at(6))
        #expect(try await journal.state().position == .at(6))
    }

    @Test("A transaction that goes on waiting doesn't replace the receipt required for another account")
    func waitingTransactionDoesNotReplaceAnotherAccountsReceipt() async throws {
        try await journal.apply(.transaction(.apple(), .at(5)), question: 0, now: now)
        let other = EventPosition(account: "other", number: 3)
        try await journal.apply(.snapshot(QueueSnapshot(position: other, transactions: [])), question: 1, now: now)
        #expect(try await journal.state().wantedReceipt == other)

        try await journal.handle(identifier, .send(mayFailAtOnce: true), now: now)
        try await journal.handle(identifier, .receipt(other), now: now)

        #expect(try await journal.entry(identifier)?.phase == .arrived)
        #expect(try await journal.state().wantedReceipt == other)
    }

    @Test("A transaction that has left the queue is deleted from the journal")
    func removedTransactionIsDeleted() async throws {
        try await journal.apply(.transaction(.apple(), .at(5)), question: 0, now: now)
        try await journal.apply(.removed(transactionIdentifier: identifier, .at(6)), question: 0, now: now)

        #expect(try await journal.entry(identifier) == nil)
    }

    @Test("A finish that is refused leaves the journal as it is")
    func refusedFinishChangesNothing() async throws {
        let added = try journal.add(.apple, request: "r", process: "p", now: now)
        let seen = try journal.view(for: "p", since: [Journal.Seen()], batch: 10).changes[Journal.Seen()]?.seen

        #expect(throws: AgentError(.notFinishable, "")) {
            try journal.finish(added.identifier, delivered: nil, now: now)
        }
        #expect(try await journal.entry("r") == added)
        let start = try #require(seen)
        let changes = try journal.view(for: "p", since: [start], batch: 10).changes[start]
        #expect(changes?.entries.isEmpty == true)
    }

    @Test("Subscribers at different points read their changes in one view")
    func viewHasTheChangesOfEachPoint() throws {
        let first = try journal.add(.apple, request: "a", process: "p", now: now)
        let start = Journal.Seen()
        let seen = try #require(try journal.view(for: "p", since: [start], batch: 10).changes[start]?.seen)
        let second = try journal.add(.apple, request: "b", process: "p", now: now)

        let view = try journal.view(for: "p", since: [start, seen], batch: 10)
        #expect(view.changes[start]?.entries == [first, second])
        #expect(view.changes[seen]?.entries == [second])
        #expect(try journal.view(for: "p", since: [], batch: 10).changes.isEmpty)
    }

    @Test(
        "The refund of a subscription's first period leaves the restored transactions of the others",
        arguments: [("2000000000000001", ["2", "3"]), ("2000000000000002", ["1", "3"])])
    func refundOfOnePeriod(refunded: String, left: [String]) async throws {
        for (number, period) in [("1", nil), ("2", "2000000000000002"), ("3", "2000000000000003")] {
            var transaction = TransactionInfo.restored(number)
            transaction.originalTransactionIdentifier = "2000000000000001"
            transaction.restores?.period = period
            try await journal.apply(.transaction(transaction, .at(5)), question: 0, now: now)
        }
        let revoked = RevokedInfo(
            transactionIdentifier: refunded, originalTransactionIdentifier: "2000000000000001",
            productIdentifier: "basket", isEntitlement: true)
        try await journal.apply(.revoked(revoked, .at(6)), question: 0, now: now)

        var present: [String] = []
        for number in ["1", "2", "3"] where try await journal.entry(number) != nil { present.append(number) }
        #expect(present == left)
    }
}
