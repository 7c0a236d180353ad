// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

/// A receipt can be newer than the journal's events. One of the events that
/// aren't here yet may remove a transaction: it was handed over to another
/// device, finished there, or refunded.
@Suite(.timeLimit(.hang))
struct LateEventsTests {
    private let journal: Journal
    private let now: Int64 = 1_700_000_000_000
    private let identifier = TransactionInfo.apple().transactionIdentifier

    init() throws {
        journal = try Journal(try SQLiteDatabase(.memory), device: "phone")
    }

    private func answer(at number: Int64) async throws {
        _ = try journal.add(.apple, request: "r", process: "p", now: now)
        try await journal.handle("r", .send(mayFailAtOnce: true), now: now)
        let answer = PaymentCall.Answer(status: .purchased, transaction: .apple(request: "r"), position: .at(number))
        _ = try await journal.answer("r", answer, now: now)
    }

    private func event(_ number: Int64) async throws {
        try await journal.apply(.position(.at(number)), question: 1, now: now)
    }

    private func fetch(at number: Int64, listing transactions: Set<String> = []) throws {
        try journal.received(.at(number), environment: "Sandbox", listing: transactions)
    }

    private var deliverable: [String] { get async throws { try await journal.wantedReceipts().transactions } }

    @Test("A purchase that a newer receipt doesn't list waits for the events, and leaves when one removes it")
    func handedOver() async throws {
        try await event(4)
        try await answer(at: 5)
        try fetch(at: 9)
        #expect(try await journal.wantedReceipts().isEmpty)

        // An answer that was on its way when the receipt was replaced changes
        // nothing.
        let late = TransactionReceiptsCall.Answer(account: "account")
        try await journal.received(late, asked: [identifier], now: now)
        #expect(try await journal.entry("r")?.phase == .arrived)

        let removed = StoreEvent.removed(transactionIdentifier: identifier, receiptChanged: false, .at(7))
        try await journal.apply(removed, question: 1, now: now)
        #expect(try await journal.entry("r") == nil)
    }

    @Test("A purchase that a newer receipt doesn't list is delivered when the events have come and none removes it")
    func kept() async throws {
        try await event(4)
        try await answer(at: 5)
        try fetch(at: 9)
        try await event(8)
        #expect(try await deliverable.isEmpty)
        try await event(9)
        #expect(try await deliverable == [identifier])
    }

    @Test("A purchase that a newer receipt lists doesn't wait for events")
    func listed() async throws {
        try await event(4)
        try await answer(at: 5)
        try fetch(at: 9, listing: [identifier])
        #expect(try await deliverable == [identifier])
        try await journal.received(
            TransactionReceiptsCall.Answer(account: "account"), asked: [identifier], now: now)
        #expect(try await journal.entry("r")?.phase == .ready)
    }

    @Test("A list is valid for its own receipt only")
    func listOfAnOlderReceipt() async throws {
        try await event(4)
        try await answer(at: 5)
        try fetch(at: 6, listing: [identifier])
        try fetch(at: 9)
        #expect(try await deliverable.isEmpty)
    }

    @Test("The answer to a payment that comes after a newer receipt requires a receipt again")
    func answerAfterTheReceipt() async throws {
        try await event(4)
        try fetch(at: 9)
        #expect(try await journal.state().needsReceipt == false)
        try await answer(at: 5)
        #expect(try await journal.state().needsReceipt)
        #expect(try await deliverable.isEmpty)
        try fetch(at: 9, listing: [identifier])
        #expect(try await deliverable == [identifier])
    }

    @Test("While a receipt is required again, a late answer with an older one doesn't replace it")
    func olderReceiptWhileOneIsRequiredAgain() async throws {
        try await event(4)
        try fetch(at: 9)
        try await answer(at: 7)
        let state: JournalState = try await journal.state()
        #expect(state.needsReceipt && !state.mayReplaceReceipt(with: .at(6)) && !state.mayReplaceReceipt(with: .at(8)))
        #expect(state.mayReplaceReceipt(with: .at(9)) && state.mayReplaceReceipt(with: .at(10)))
    }

    @Test("An event needs no receipt again: those up to the receipt follow it")
    func eventAfterTheReceipt() async throws {
        try await event(4)
        try fetch(at: 9)
        try await journal.apply(.transaction(.apple(), .at(5)), question: 1, now: now)
        #expect(try await journal.state().needsReceipt == false)
        #expect(try await deliverable.isEmpty)
        try await event(9)
        #expect(try await deliverable == [identifier])
    }

    @Test("A purchase that a receipt doesn't list isn't delivered before the first events of its account")
    func firstEvents() async throws {
        let whole = TransactionReceiptsCall.Answer(account: "account")
        try await journal.apply(.position(EventPosition(account: "other", number: 20)), question: 1, now: now)
        try await answer(at: 5)
        try fetch(at: 9)
        // It is asked for, because the answer may be for the other account.
        #expect(try await deliverable == [identifier])
        try await journal.received(whole, asked: [identifier], now: now)
        #expect(try await journal.entry("r")?.phase == .arrived)

        try await event(9)
        try await journal.received(whole, asked: [identifier], now: now)
        #expect(try await journal.entry("r")?.phase == .ready)
    }

    /// A purchase that was delivered with a receipt at position 6.
    private func delivered() async throws {
        try await event(4)
        try await answer(at: 5)
        try fetch(at: 6, listing: [identifier])
        try await journal.received(
            TransactionReceiptsCall.Answer(account: "account"), asked: [identifier], now: now)
        #expect(try await journal.entry("r")?.shown?.state == .purchased)
    }

    /// Replaces the receipt on disk as `ReceiptKeeper` does.
    private func replace(at number: Int64, listing transactions: Set<String> = []) throws {
        try journal.willReplaceReceipt(by: .at(number), listing: transactions)
        try fetch(at: number, listing: transactions)
    }

    @Test("A purchase that was handed over and finished elsewhere isn't delivered again before the events show it")
    func deliveredAndHandedOver() async throws {
        try await delivered()
        try replace(at: 9)
        #expect(try journal.whole().entries.compactMap(\.shown).isEmpty)
        #expect(try await journal.wantedReceipts().isEmpty)

        let removed = StoreEvent.removed(transactionIdentifier: identifier, receiptChanged: false, .at(7))
        try await journal.apply(removed, question: 1, now: now)
        #expect(try await journal.entry("r") == nil)
    }

    @Test("A delivered purchase that a newer receipt doesn't list comes back when none of the events removes it")
    func deliveredAndKept() async throws {
        try await delivered()
        try replace(at: 9)
        try await event(8)
        #expect(try await deliverable.isEmpty)
        try await event(9)
        #expect(try await deliverable == [identifier])
        try await journal.received(
            TransactionReceiptsCall.Answer(account: "account"), asked: [identifier], now: now)
        #expect(try await journal.entry("r")?.shown?.state == .purchased)
    }

    @Test("A process that ends before the receipt is replaced leaves no purchase behind that the new one doesn't list")
    func deathBeforeTheReplacement() async throws {
        try await delivered()
        try journal.willReplaceReceipt(by: .at(9), listing: [])
        #expect(try journal.whole().entries.compactMap(\.shown).isEmpty)
        // The older receipt is still on disk, and the events up to it remove nothing.
        try await event(6)
        #expect(try await deliverable == [identifier])
    }

    @Test("A purchase that becomes ready while the receipt is replaced is taken back if the new one doesn't list it")
    func readyDuringTheReplacement() async throws {
        try await event(4)
        try await answer(at: 5)
        try fetch(at: 6, listing: [identifier])
        try journal.willReplaceReceipt(by: .at(9), listing: [])
        try await journal.received(
            TransactionReceiptsCall.Answer(account: "account"), asked: [identifier], now: now)
        try fetch(at: 9)
        #expect(try journal.whole().entries.compactMap(\.shown).isEmpty)
        #expect(try await deliverable.isEmpty)
    }

    @Test("A delivered purchase stays when the newer receipt lists it, and when the events came before the receipt")
    func deliveredAndListed() async throws {
        try await delivered()
        try replace(at: 9, listing: [identifier])
        #expect(try await journal.entry("r")?.phase == .ready)
        try await event(10)
        try replace(at: 10)
        #expect(try await journal.entry("r")?.phase == .ready)
    }

    @Test("A purchase that waits for the events again can be finished")
    func finishedMeanwhile() async throws {
        try await delivered()
        try replace(at: 9)
        _ = try journal.finish("r", delivered: nil, now: now)
        #expect(try await journal.entry("r")?.phase == .finished)
    }

    @Test("A restored transaction is listed by its original")
    func restored() async throws {
        let another = "2000000000000101"
        try await event(4)
        try journal.add(AppRequest(identifier: "restore", kind: .restore, process: "p"))
        _ = try await journal.handle("restore", .send)
        let page = RestoreCall.Answer(transactions: [.restored(another)], position: .at(5))
        _ = try await journal.restored("restore", page, now: now)
        try fetch(at: 9, listing: [identifier])
        #expect(try await deliverable == [another])
    }
}
