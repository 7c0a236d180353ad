// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import Testing

@testable import StoreAgent

/// The updates that follow from those that a subscriber has received already.
struct DeliveredTransactionsTests {
    private let now: Int64 = 1_700_000_000_000

    private func purchase() throws -> JournalEntry {
        var entry = JournalEntry.unasked(.apple(), sequence: 1, now: now)
        try entry.handle(.arrived(.apple(), .at(5), question: 1), now: now)
        try entry.handle(.receipt(.at(5)), now: now)
        return entry
    }

    private func changes(_ entries: [JournalEntry], present: Set<String>? = nil) -> Journal.Changes {
        Journal.Changes(entries: entries, isWhole: true, seen: Journal.Seen(), present: present)
    }

    private func tell(_ shown: inout DeliveredTransactions, _ entries: [JournalEntry], present: Set<String>? = nil)
        -> [AgentUpdate]
    {
        let updates = shown.updates(for: entries, of: changes(entries, present: present), process: "p") { _ in false }
        shown.record(updates)
        return updates
    }

    @Test("A removal is delivered once, though the confirmation of the finish follows it")
    func removalIsToldOnceThoughTheWordOfTheFinishComesAfterIt() throws {
        var shown = DeliveredTransactions()
        var entry = try purchase()
        let bought = try #require(entry.shown)
        #expect(tell(&shown, [entry]) == [.updated([bought])])

        try entry.handle(.finish(isDelivered: true), now: now)
        #expect(tell(&shown, [entry]) == [.removed([bought])])
        shown.know(bought)
        try entry.handle(.confirmed(question: 2), now: now)

        #expect(tell(&shown, [entry]).isEmpty)
        #expect(tell(&shown, [], present: []).isEmpty)
    }

    @Test("The removal of a transaction that the app has found in the queue is delivered")
    func removalOfWhatTheAppHasFoundByItselfIsTold() throws {
        var shown = DeliveredTransactions()
        var entry = try purchase()
        let bought = try #require(entry.shown)
        shown.know(bought)
        try entry.handle(.finish(isDelivered: true), now: now)

        #expect(tell(&shown, [entry]) == [.removed([bought])])
    }

    @Test("A purchase that comes back can be removed again") func purchaseThatComesBackCanBeRemovedAgain() throws {
        var shown = DeliveredTransactions()
        var entry = try purchase()
        let bought = try #require(entry.shown)
        _ = tell(&shown, [entry])
        try entry.handle(.omitted(account: "other", question: 2), now: now)
        #expect(tell(&shown, [entry]) == [.removed([bought])])
        try entry.handle(.arrived(.apple(), .at(5), question: 3), now: now)
        try entry.handle(.receipt(.at(5)), now: now)
        #expect(tell(&shown, [entry]) == [.updated([bought])])
        try entry.handle(.finish(isDelivered: true), now: now)

        #expect(tell(&shown, [entry]) == [.removed([bought])])
    }
}
