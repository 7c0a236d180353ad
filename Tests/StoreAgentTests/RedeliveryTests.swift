// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

/// A payment that only changes the plan of a subscription is answered with the
/// current transaction, which the journal may have already.
@Suite(.timeLimit(.hang))
struct RedeliveryTests {
    private let journal: Journal
    private let now: Int64 = 1_700_000_000_000
    private let identifier = TransactionInfo.apple().transactionIdentifier
    private let basket = AgentPayment(productIdentifier: "basket")

    init() throws {
        journal = try Journal(try SQLiteDatabase(.memory), device: "phone")
    }

    /// Brings the current transaction into a phase.
    private func arrive(in phase: JournalEntry.Phase) async throws {
        try await journal.apply(.transaction(.apple(), .at(5)), question: 0, now: now)
        guard phase != .arrived else { return }
        try await journal.handle(identifier, .receipt(.at(5)), now: now)
        guard phase != .ready else { return }
        try await journal.handle(identifier, .finish(isDelivered: true), now: now)
        guard phase != .finished else { return }
        try await journal.confirm(identifier, now: now)
    }

    private func ask() async throws {
        _ = try journal.add(basket, request: "r", process: "p", now: now)
        try await journal.handle("r", .send(mayFailAtOnce: true), now: now)
    }

    @Test(
        "A transaction that is delivered again for a payment is purchased for that payment",
        arguments: [JournalEntry.Phase.arrived, .ready, .finished, .confirmed], [true, false])
    func deliveredAgain(phase: JournalEntry.Phase, byEvent: Bool) async throws {
        try await arrive(in: phase)
        #expect(try await journal.entry(identifier)?.phase == phase)
        try await ask()
        if byEvent {
            try await journal.apply(.transaction(.apple(request: "r"), .at(6)), question: 1, now: now)
        } else {
            let answer = PaymentCall.Answer(
                status: .purchased, transaction: .apple(request: "r"), position: .at(6))
            _ = try await journal.answer("r", answer, now: now)
        }

        #expect(try await journal.entry(identifier) == nil)
        #expect(try await journal.entry("r")?.awaitedReceipt == .at(6))
        #expect(try await journal.state().wantedReceipt == .at(6))
        try await journal.handle("r", .receipt(.at(6)), now: now)
        let shown = try await journal.entry("r")?.shown
        #expect(shown?.state == .purchased)
        #expect(shown?.payment == basket)
        #expect(shown?.transactionIdentifier == identifier)
    }

    @Test("The answer and the event of a transaction that is delivered again are one transaction")
    func answerAndEvent() async throws {
        try await arrive(in: .confirmed)
        try await ask()
        let answer = PaymentCall.Answer(status: .purchased, transaction: .apple(request: "r"), position: .at(6))
        _ = try await journal.answer("r", answer, now: now)
        try await journal.apply(.transaction(.apple(request: "r"), .at(6)), question: 1, now: now)
        try await journal.handle("r", .receipt(.at(6)), now: now)

        #expect(try await journal.entry("r")?.phase == .ready)
        #expect(try await journal.entry(identifier) == nil)

        // Finished again, it isn't delivered by a late repeat.
        try await journal.handle("r", .finish(isDelivered: true), now: now)
        try await journal.confirm("r", now: now)
        try await journal.apply(.transaction(.apple(request: "r"), .at(6)), question: 0, now: now)
        #expect(try await journal.entry("r")?.phase == .confirmed)
    }

    @Test("Of two changes of the plan the later one gets the transaction, and the earlier one ends")
    func twoChanges() async throws {
        try await arrive(in: .ready)
        try await ask()
        _ = try journal.add(.apple, request: "s", process: "p", now: now)
        try await journal.handle("s", .send(mayFailAtOnce: true), now: now)
        try await journal.apply(.transaction(.apple(request: "s"), .at(7)), question: 1, now: now)
        // The first request has the same answer, whose transaction is the second's.
        let answer = PaymentCall.Answer(status: .purchased, transaction: .apple(request: "s"), position: .at(7))
        _ = try await journal.answer("r", answer, now: now)

        #expect(try await journal.entry("r") == nil)
        #expect(try await journal.entry("s")?.phase == .arrived)
    }

    @Test("The app finishes the transaction by the object that it got before")
    func finishedByTheEarlierObject() async throws {
        try await arrive(in: .ready)
        try await ask()
        try await journal.apply(.transaction(.apple(request: "r"), .at(6)), question: 1, now: now)
        let delivered = AgentTransaction.Delivered(transactionIdentifier: identifier, productIdentifier: "apple")
        _ = try journal.finish(identifier, delivered: delivered, now: now)

        #expect(try await journal.entry("r")?.phase == .finished)
    }

    @Test("An app gets the current transaction for its payment of another plan, also if it has finished it")
    func wholeDevice() async throws {
        let device = try Device()
        let store = ScriptedStore(ScriptedStore.Script(position: .at(5), queue: [.apple()]))
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let first = await process.told(.purchased)
            try process.agent.finish(first.id)
            await store.finishes.until { $0.count == 1 }
            store.script.change { script in
                script.position = .at(6)
                script.queue = []
                script.pay = { call in
                    PaymentCall.Answer(
                        status: .purchased, transaction: .apple(request: call.requestIdentifier), position: .at(6))
                }
            }
            try process.agent.add(basket)
            let again = await process.told(.purchased, times: 2)

            #expect(again.transactionIdentifier == first.transactionIdentifier)
            #expect(again.payment == basket)
            try process.agent.finish(again.id)
            await store.finishes.until { $0.count == 2 }
        }
    }
}
