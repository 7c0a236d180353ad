// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

/// The changes of finished transactions that are news for the app.
@Suite(.timeLimit(.hang))
struct SignedNewsTests {
    private static let number = "2000000000000001"
    private let device: Device
    private let agent: Agent

    init() throws {
        device = try Device()
        agent = try device.process(ScriptedStore()).agent
    }

    /// Saves the store's answer at an event.
    private func save(
        _ number: Int64, transaction identifier: String = number, change: (inout TransactionPayload) -> Void = { _ in }
    ) async throws {
        let transaction = try SignedValues.transaction(identifier, of: agent, change: change)
        _ = try await agent.refreshSignedTransactions()
        try await agent.journal.database.write { connection in
            try JournalState.update(connection) { $0.position = .at(number) }
        }
        let question = try #require(try await agent.journal.signedQuestion(of: Device.bundle, version: "1"))
        let answer = SignedTransactionsCall.Answer(
            position: .at(number), transactions: [transaction], next: "\(number)", hasMore: false, renewals: [])
        try await agent.journal.signedAnswered(answer, to: question)
    }

    /// Receives a purchase, finishes it, and forgets it with a snapshot of the
    /// store's queue.
    private func finishAndForget(_ transaction: String, at position: EventPosition) async throws {
        let journal = agent.journal
        try await journal.apply(.transaction(.apple(transaction), position), question: 1, now: 0)
        try await journal.handle(transaction, .receipt(position), now: 0)
        try await journal.handle(transaction, .finish(isDelivered: true), now: 0)
        try await journal.confirm(transaction, now: 0)
        try await forget(at: position)
    }

    private func forget(at position: EventPosition) async throws {
        let (question, _) = try await agent.journal.ask()
        let snapshot = QueueSnapshot(position: position, transactions: [])
        try await agent.journal.apply(SnapshotEvent(snapshot: snapshot), question: question, now: 0)
    }

    private func finish() async {
        await agent.finishSigned(
            .init(transactionIdentifier: Self.number, productIdentifier: "com.example.fruit.apple"))
    }

    private func news(after change: Int64) async throws -> (revoked: [Bool], last: Int64) {
        let (news, last, _) = try await agent.signedNews(after: change)
        return (news.map(\.isRevoked), last)
    }

    @Test("A refund that is taken back is news for an app that has finished the purchase, also in a later launch")
    func reversal() async throws {
        try await save(1)
        await finish()
        let (none, first) = try await news(after: 0)
        #expect(none == [])
        try await save(2) { $0.revocationDate = Date(timeIntervalSince1970: 1_700_000_100) }
        let (refunded, second) = try await news(after: first)
        #expect(refunded == [true])
        try await save(3)
        let (reversed, third) = try await news(after: second)
        #expect(reversed == [false])

        // The store signs it again for another reason.
        try await save(4)
        #expect(try await news(after: third).revoked == [])
        #expect(try await news(after: second).revoked == [false])
        agent.close()
        let later = try device.process(ScriptedStore()).agent
        #expect(try await later.signedNews(after: second).news.map(\.transactionIdentifier) == [Self.number])
        later.close()
    }

    @Test("A consumable whose refund is taken back is news where the app has finished it, and nowhere else")
    func consumableReversal() async throws {
        let kiwi = "2000000000000003"
        for (number, transaction) in [(Int64(1), Self.number), (2, kiwi)] {
            try await save(number, transaction: transaction) { $0.type = "Consumable" }
        }
        await finish()
        let (_, first) = try await news(after: 0)
        for (number, transaction) in [(Int64(3), Self.number), (4, kiwi)] {
            try await save(number, transaction: transaction) { payload in
                payload.type = "Consumable"
                payload.revocationDate = Date(timeIntervalSince1970: 1_700_000_100)
            }
        }
        let (refunded, second) = try await news(after: first)
        #expect(refunded == [true, true])
        for (number, transaction) in [(Int64(5), Self.number), (6, kiwi)] {
            try await save(number, transaction: transaction) { $0.type = "Consumable" }
        }
        let reversed = try await agent.signedNews(after: second).news
        #expect(reversed.map(\.transactionIdentifier) == [Self.number])
        agent.close()
    }

    @Test("A purchase that was finished and forgotten before its page arrives is no news")
    func forgotten() async throws {
        try await save(1)
        let bought = "2000000000000002"
        try await finishAndForget(bought, at: .at(2))
        #expect(try await agent.journal.entry(bought)?.phase == .confirmed)

        try await save(2, transaction: bought)
        let (news, last) = try await news(after: 1)
        #expect(news == [] && last == 2)
        try await forget(at: .at(2))
        #expect(try await agent.journal.entry(bought) == nil)
        #expect(try await self.news(after: 1).revoked == [])
        agent.close()
    }

    @Test("A consumable that was finished and forgotten while the first pages were under way is used up")
    func finishedDuringFirstPages() async throws {
        try await agent.useSignedTransactions()
        try await finishAndForget(Self.number, at: .at(1))

        // The page was read before the finish: it has the consumable.
        try await save(1) { $0.type = "Consumable" }

        #expect(try await agent.signedTransaction(Self.number)?.isUsedUp == true)
        try await forget(at: .at(1))
        #expect(try await !agent.journal.remembersFinished())
        agent.close()
    }

    @Test("A purchase that was finished before another customer signed in is no news when it is upgraded")
    func customers() async throws {
        let answer = { (number: Int64, customer: String, upgraded: Bool) in
            let transaction = try SignedValues.transaction(Self.number, of: self.agent) { payload in
                payload.type = "Auto-Renewable Subscription"
                payload.isUpgraded = upgraded ? true : nil
            }
            let position = EventPosition(account: customer, number: number)
            _ = try await self.agent.refreshSignedTransactions()
            try await self.agent.journal.database.write { connection in
                try JournalState.update(connection) { $0.position = position }
            }
            let isTheirs = customer == "anna"
            // The first answer to a device that has another customer's pages says whose they are.
            for _ in 1...2 {
                guard let question = try await self.agent.journal.signedQuestion(of: Device.bundle, version: "1") else {
                    break
                }
                let page = SignedTransactionsCall.Answer(
                    position: position, transactions: isTheirs ? [transaction] : [], next: "\(number)", hasMore: false,
                    renewals: [])
                try await self.agent.journal.signedAnswered(page, to: question)
            }
        }
        try await answer(1, "anna", false)
        await finish()
        try await answer(1, "bert", false)
        try await answer(1, "anna", false)
        try await answer(2, "anna", true)
        let row = try #require(try await agent.journal.signed(Self.number))
        #expect(try UnverifiedJWS<TransactionPayload>(parsing: row.signed).payload.isUpgraded == true)
        #expect(try await news(after: 0).revoked == [])
        agent.close()
    }

    @Test(
        "A purchase that was finished as an update while the answer to its payment was late stays finished",
        arguments: [true, false])
    func finishedBeforeAnswer(isEvent: Bool) async throws {
        try await answer(late: .apple(Self.number, request: "payment"), isEvent: isEvent)

        #expect(try await agent.journal.entry("payment")?.phase == .finished)
        #expect(try await agent.journal.entry(Self.number) == nil)
        guard case .purchased(let row) = try await agent.outcome(of: "payment") else {
            Issue.record("The task that waits for the payment doesn't get the transaction")
            return
        }
        #expect(row.transactionIdentifier == Self.number)
        #expect(try await agent.unfinishedSignedTransactions().rows.isEmpty)
        agent.close()
    }

    @Test("A purchase that another device hands over stays finished where the app has finished it as an update")
    func handedOver() async throws {
        let journal = agent.journal
        try await save(1) { $0.type = "Non-Renewing Subscription" }
        await finish()
        try await journal.confirm(Self.number, now: 0)
        try await forget(at: .at(1))
        #expect(try await journal.entry(Self.number) == nil)

        try await journal.apply(.transaction(.apple(Self.number), .at(2)), question: 3, now: 0)

        #expect(try await journal.unconfirmedFinishes() == [Self.number])
        agent.close()
    }

    @Test("A purchase whose refund is taken back is delivered again, also where the app has finished it")
    func handedOverAgain() async throws {
        try await save(1)
        await finish()
        try await agent.journal.confirm(Self.number, now: 0)
        try await forget(at: .at(1))
        try await save(2) { $0.revocationDate = Date(timeIntervalSince1970: 1_700_000_100) }

        try await agent.journal.apply(.transaction(.apple(Self.number), .at(3)), question: 3, now: 0)
        #expect(try await agent.journal.entry(Self.number)?.phase == .arrived)
        try await agent.journal.handle(Self.number, .receipt(.at(3)), now: 0)
        // The row has the refund: listeners get the purchase when the page shows that it was taken back.
        #expect(try await agent.journal.unfinishedSigned(account: nil, before: nil).rows.isEmpty)

        // The page shows that the refund was taken back, and the stream is opened again.
        try await save(3)
        let (question, _) = try await agent.journal.ask()
        let snapshot = QueueSnapshot(position: .at(3), transactions: [.apple(Self.number)])
        try await agent.journal.apply(SnapshotEvent(snapshot: snapshot), question: question, now: 0)
        #expect(try await agent.journal.entry(Self.number)?.phase == .ready)
        let unfinished = try await agent.journal.unfinishedSigned(account: nil, before: nil).rows
        #expect(unfinished.map(\.row.transactionIdentifier) == [Self.number])
        agent.close()
    }

    @Test("A purchase that leaves the queue before the app had it is an update, also for a listener that has read on")
    func unseen() async throws {
        try await save(1, transaction: "2000000000000009")
        try await agent.journal.apply(.transaction(.apple(Self.number), .at(2)), question: 1, now: 0)
        try await save(2)
        let (queued, last) = try await news(after: 0)
        #expect(queued == [])

        try await agent.journal.apply(.removed(transactionIdentifier: Self.number, .at(3)), question: 1, now: 0)

        #expect(try await news(after: last).revoked == [false])
        agent.close()
    }

    @Test("A purchase for which a task waits is no update when another device finishes it")
    func awaited() async throws {
        try await save(1, transaction: "2000000000000009")
        try await pay(isAwaited: true)
        try await agent.journal.apply(
            .transaction(.apple(Self.number, request: "payment"), .at(2)), question: 1, now: 0)
        try await save(2)
        let (_, last) = try await news(after: 0)

        try await agent.journal.apply(.removed(transactionIdentifier: Self.number, .at(3)), question: 1, now: 0)

        #expect(try await agent.journal.entry("payment") == nil)
        #expect(try await news(after: last).revoked == [])
        agent.close()
    }

    @Test("A purchase that is refunded before the app had it is an update once, as a refunded one")
    func refundedUnseen() async throws {
        try await save(1, transaction: "2000000000000009")
        try await agent.journal.apply(.transaction(.apple(Self.number), .at(2)), question: 1, now: 0)
        try await save(2)

        try await agent.journal.apply(.revoked(.apple, .at(3)), question: 1, now: 0)
        #expect(try await news(after: 0).revoked == [])
        try await save(3) { $0.revocationDate = Date(timeIntervalSince1970: 1_700_000_100) }

        #expect(try await news(after: 0).revoked == [true])
        agent.close()
    }

    @Test("A purchase that the app has from the queue is no update when another device finishes it")
    func seen() async throws {
        try await save(1, transaction: "2000000000000009")
        try await agent.journal.apply(.transaction(.apple(Self.number), .at(2)), question: 1, now: 0)
        try await save(2)
        let (_, last) = try await news(after: 0)
        try await agent.journal.handle(Self.number, .receipt(.at(2)), now: 0)
        try await agent.journal.database.write { connection in
            var entry = try #require(try JournalEntry.load(connection, Self.number))
            entry.holder = "process"
            try entry.save(connection)
        }

        try await agent.journal.apply(.removed(transactionIdentifier: Self.number, .at(3)), question: 1, now: 0)

        #expect(try await news(after: last).revoked == [])
        agent.close()
    }

    @Test("A subscription that was finished is delivered for the payment that has changed its plan")
    func planChange() async throws {
        try await answer(
            late: .apple(Self.number, request: "payment"), isEvent: false, of: "Auto-Renewable Subscription")

        #expect(try await agent.journal.entry("payment")?.phase == .arrived)
        agent.close()
    }

    /// Adds the payment `payment`, which no synchronizer sends.
    private func pay(isAwaited: Bool = false) async throws {
        try await agent.journal.database.write { connection in
            var payment = AgentPayment.apple
            payment.isAwaited = isAwaited
            try JournalEntry.payment(
                payment, request: "payment", sequence: try JournalState.nextSequence(connection), adder: "process",
                now: 0
            ).save(connection)
        }
    }

    /// Finishes a transaction that the app has from the store's pages, before a
    /// payment is answered with it.
    private func answer(
        late transaction: TransactionInfo, isEvent: Bool, of type: String = "Non-Consumable"
    ) async throws {
        let journal = agent.journal
        try await save(1, transaction: "2000000000000009")
        try await pay()
        try await save(2) { $0.type = type }
        #expect(try await news(after: 0).revoked == [false])
        await finish()
        if isEvent {
            try await journal.apply(.transaction(transaction, .at(3)), question: 1, now: 0)
        } else {
            let answer = PaymentCall.Answer(status: .purchased, transaction: transaction, position: .at(1))
            _ = try await journal.answer("payment", answer, now: 0)
        }
    }

    @Test("A finished period that ends later is news, and one that ends earlier isn't")
    func extended() async throws {
        func save(_ number: Int64, end: Double) async throws {
            try await self.save(number) { payload in
                payload.type = "Auto-Renewable Subscription"
                payload.expiresDate = Date(timeIntervalSince1970: end)
            }
        }
        try await save(1, end: 1_800_000_000)
        await finish()
        var (extended, last) = try await news(after: 0)
        #expect(extended == [])
        try await save(2, end: 1_900_000_000)
        (extended, last) = try await news(after: last)
        #expect(extended == [false])
        try await save(3, end: 1_850_000_000)
        #expect(try await news(after: last).revoked == [])
        agent.close()
    }
}
