// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreCore
import StoreTestSupport
import Testing

@testable import StoreAgent

/// The signed transactions in the journal (StoreKit 2).
@Suite(.timeLimit(.hang))
struct SignedTransactionTests {
    private let device: Device
    private let store = ScriptedStore(ScriptedStore.Script(position: .at(5)))
    private static let number = "2000000000000001"

    init() throws {
        device = try Device()
    }

    /// Answers with pages of these transactions.
    private func serve(_ pages: [[SignedTransactionInfo]], position: EventPosition = .at(5)) {
        store.script.change { script in
            script.signedTransactions = { call in
                // The store ignores another account's place.
                let index = call.account == position.account ? call.after.flatMap { Int($0) } ?? 0 : 0
                guard index < pages.count else {
                    return SignedTransactionsCall.Answer(
                        position: position, next: "\(index)", hasMore: false, renewals: [], app: "")
                }
                let isLast = index == pages.count - 1
                return SignedTransactionsCall.Answer(
                    position: position, transactions: pages[index], next: "\(index + 1)", hasMore: !isLast,
                    renewals: isLast ? [] : nil)
            }
        }
    }

    /// Waits for the first answer, and for the event stream, without which the
    /// journal doesn't know the account.
    private func complete(_ agent: Agent) async throws {
        #expect(try await agent.waitForSignedAnswer(atMost: .seconds(60)))
        await wait(for: agent) { try await !$0.signedTransactions().isEmpty }
    }

    @Test("An app that doesn't use StoreKit 2 fetches no signed transactions")
    func unused() async throws {
        let process = try device.process(store)
        try await process.running {
            _ = await store.streams.until { !$0.isEmpty }
            #expect(store.signedTransactions.value.isEmpty)
        }
    }

    @Test("All pages are fetched, verified and there in the next process without a store")
    func fetched() async throws {
        let process = try device.process(store)
        let apples = try (1...3).map { try SignedValues.transaction("200000000000000\($0)", of: process.agent) }
        serve(apples.map { [$0] })
        try await process.running {
            try await process.agent.useSignedTransactions()
            try await complete(process.agent)
        }
        #expect(store.signedTransactions.value.map(\.after) == [nil, "1", "2"])
        process.agent.close()

        store.script.change { $0.outage = .notSent }
        let later = try device.process(store)
        let rows = try await later.agent.signedTransactions()
        #expect(rows.map(\.transactionIdentifier) == apples.map(\.transactionIdentifier).reversed())
        for row in rows {
            let verdict = later.agent.verdict(row)
            #expect(verdict.failure == nil && verdict.payload?.transactionId == row.transactionIdentifier)
        }
    }

    @Test("The periods of subscriptions are read page by page, without other products and root certificates")
    func periods() async throws {
        let process = try device.process(store, trusts: false)
        let agent = process.agent
        let all = try (100..<220).map { number in
            try SignedValues.transaction("2000000000000\(number)", product: "small", of: agent) {
                $0.type = number % 2 == 0 ? "Auto-Renewable Subscription" : "Non-Consumable"
            }
        }
        serve([all])
        try await process.running {
            try await agent.useSignedTransactions()
            try await complete(agent)
            let first = try await agent.signedPeriods()
            let second = try await agent.signedPeriods(before: first.next)
            let third = try await agent.signedPeriods(before: second.next)
            let found = (first.periods + second.periods).compactMap(\.transactionId)
            #expect(found == (100..<220).reversed().filter { $0 % 2 == 0 }.map { "2000000000000\($0)" })
            #expect(first.periods.count == 50 && third.periods.isEmpty && third.next == nil)
        }
    }

    @Test("The first pages are no news for a running listener, later changes are, but not another device's consumable")
    func news() async throws {
        let process = try device.process(store)
        let agent = process.agent
        serve([[try SignedValues.transaction(Self.number, of: agent)]])
        try await process.running {
            try await agent.useSignedTransactions()
            try await complete(agent)
            #expect(try await agent.signedNews(after: 0).news == [])

            let later = try ["Non-Consumable", "Consumable"].enumerated().map { index, type in
                try SignedValues.transaction("200000000000001\(index)", of: agent) { $0.type = type }
            }
            serve([[try SignedValues.transaction(Self.number, of: agent)], later])
            let request = try await agent.refreshSignedTransactions()
            #expect(try await agent.waitForSignedAnswer(to: request, atMost: .seconds(60)))
            let (news, last, isWhole) = try await agent.signedNews(after: 0)
            #expect(news.map(\.transactionIdentifier) == ["2000000000000010"])
            #expect(isWhole && last > 0)
        }
    }

    @Test("The transaction of a purchase that has left the queue is its own, or one of an owned product")
    func departed() async throws {
        let process = try device.process(store)
        let agent = process.agent
        let juice = try SignedValues.transaction("2000000000000002", product: "juice", of: agent) {
            $0.type = "Consumable"
        }
        serve([[try SignedValues.transaction(Self.number, product: "apple", of: agent), juice]])
        try await process.running {
            try await agent.useSignedTransactions()
            try await complete(agent)
        }
        #expect(try await agent.departed("2000000000000002", of: "juice")?.productIdentifier == "juice")
        #expect(try await agent.departed(nil, of: "juice") == nil)
        #expect(try await agent.departed(nil, of: "apple")?.transactionIdentifier == Self.number)
    }

    @Test("A process that ends between two pages leaves the rest to the next one, which asks for no page twice")
    func interrupted() async throws {
        let process = try device.process(store)
        let agent = process.agent
        let apples = try (1...3).map { try SignedValues.transaction("200000000000000\($0)", of: agent) }
        serve(apples.map { [$0] })
        let pages = store.script.value.signedTransactions
        store.script.change { script in
            script.signedTransactions = { call in
                guard call.after != "1" else {
                    throw ConnectionFailure(reach: .unanswered, underlying: ScriptedStore.Outage())
                }
                return try await pages?(call) ?? SignedTransactionsCall.Answer()
            }
        }
        try await process.running {
            try await agent.useSignedTransactions()
            await store.signedTransactions.until { $0.contains { $0.after == "1" } }
            #expect(try await agent.journal.hasSignedAnswer() == false)
        }
        agent.close()
        serve(apples.map { [$0] })
        let before = store.signedTransactions.value.count

        let later = try device.process(store)
        try await later.running { try await complete(later.agent) }

        #expect(store.signedTransactions.value[before...].map(\.after) == ["1", "2"])
        #expect(try await later.agent.signedTransactions().count == 3)
    }

    @Test("A process that dies at the write of a page has nothing of it or all of it", arguments: ["before", "after"])
    func death(moment: String) async throws {
        let agent = try device.process(store).agent
        let apple = try SignedValues.transaction(Self.number, of: agent)
        try await agent.useSignedTransactions()
        let question = try #require(try await agent.journal.signedQuestion(of: Device.bundle, version: "1"))
        let answer = SignedTransactionsCall.Answer(position: .at(5), transactions: [apple], next: "1", renewals: [])
        // The journal's write is the only step of a page.
        if moment == "after" { try await agent.journal.signedAnswered(answer, to: question) }
        agent.close()

        serve([[apple]])
        let later = try device.process(store)
        try await later.running {
            try await complete(later.agent)
            #expect(try await later.agent.signedTransactions().count == 1)
        }

        #expect(store.signedTransactions.value.map(\.after) == (moment == "after" ? [] : [nil]))
    }

    @Test("The pages of another account take the place of the first account's")
    func anotherAccount() async throws {
        let process = try device.process(store)
        serve([[try SignedValues.transaction(Self.number, of: process.agent)]])
        try await process.running {
            try await process.agent.useSignedTransactions()
            try await complete(process.agent)
            #expect(try await process.agent.signedTransactions().count == 1)

            let other = EventPosition(account: "other", number: 2)
            serve([[try SignedValues.transaction("2000000000000009", of: process.agent)]], position: other)
            store.script.change { $0.position = other }
            let request = try await process.agent.refreshSignedTransactions()
            #expect(try await process.agent.waitForSignedAnswer(to: request, atMost: .seconds(60)))
            // The events of the account that is signed in haven't come yet: its transactions aren't shown to the
            // other one.
            #expect(try await process.agent.signedTransactions().isEmpty)
            await store.tell(.snapshot(QueueSnapshot(position: other, transactions: [])))
            await wait(for: process.agent) { agent in
                try await agent.signedTransactions().map(\.transactionIdentifier) == ["2000000000000009"]
            }
        }
    }

    @Test("A store that was restored from a backup is read again from the first page")
    func backup() async throws {
        let process = try device.process(store)
        let agent = process.agent
        serve([
            [try SignedValues.transaction(Self.number, of: agent)],
            [try SignedValues.transaction("2000000000000002", of: agent)],
        ])
        try await process.running {
            try await agent.useSignedTransactions()
            try await complete(agent)
            serve([[try SignedValues.transaction(Self.number, of: agent)]], position: .at(3))
            let request = try await agent.refreshSignedTransactions()
            #expect(try await agent.waitForSignedAnswer(to: request, atMost: .seconds(60)))
            #expect(try await agent.signedTransactions().map(\.transactionIdentifier) == [Self.number])
        }
    }

    private static let refused: [SignedTransactionsCall.Answer] = [
        SignedTransactionsCall.Answer(position: .at(5), hasMore: true),
        SignedTransactionsCall.Answer(
            position: .at(5),
            transactions: [SignedTransactionInfo(transactionIdentifier: "1", productIdentifier: "a", signed: "")],
            hasMore: true),
        SignedTransactionsCall.Answer(
            position: .at(5),
            transactions: [
                SignedTransactionInfo(
                    transactionIdentifier: "1", productIdentifier: "a", signed: String(repeating: "a", count: 40_000))
            ]),
        SignedTransactionsCall.Answer(
            position: .at(5),
            renewals: Array(
                repeating: SignedRenewalInfo(transactionIdentifier: "1", groupIdentifier: "a", signed: ""), count: 2)),
    ]

    @Test(
        "A page that doesn't lead to the next one, or is too large, is refused",
        arguments: SignedTransactionTests.refused)
    func hostile(answer: SignedTransactionsCall.Answer) async throws {
        let agent = try device.process(store).agent
        try await agent.useSignedTransactions()
        let question = try #require(try await agent.journal.signedQuestion(of: Device.bundle, version: "1"))
        await #expect(throws: StoreFailure(.unreadableAnswer, "")) {
            try await agent.journal.signedAnswered(answer, to: question)
        }
        #expect(try await agent.journal.hasSignedAnswer() == false)
    }

    @Test("A page that was requested before a purchase was forgotten doesn't bring it back")
    func forgotten() async throws {
        let agent = try device.process(store).agent
        let apple = try SignedValues.transaction(Self.number, of: agent)
        let answer = SignedTransactionsCall.Answer(position: .at(5), transactions: [apple], next: "1", renewals: [])
        try await agent.useSignedTransactions()
        let journal = agent.journal
        let question = try #require(try await journal.signedQuestion(of: Device.bundle, version: "1"))
        let forgotten = StoreEvent.removed(transactionIdentifier: Self.number, isForgotten: true, .at(6))
        try await journal.apply(forgotten, question: 0, now: 0)
        try await journal.signedAnswered(answer, to: question)
        #expect(try await agent.signedTransactions().isEmpty)

        // The page is requested again, and the store doesn't have the purchase any more.
        let again = try #require(try await journal.signedQuestion(of: Device.bundle, version: "1"))
        let without = SignedTransactionsCall.Answer(position: .at(6), transactions: [], renewals: [])
        try await journal.signedAnswered(without, to: again)
        #expect(try await journal.signedQuestion(of: Device.bundle, version: "1") == nil)
        #expect(try await agent.signedTransactions().isEmpty)
    }

    private func wait(for agent: Agent, until isTrue: @Sendable (Agent) async throws -> Bool) async {
        while true {
            let generation = agent.changes.generation
            if (try? await isTrue(agent)) == true { return }
            await agent.changes.wait(after: generation)
            if Task.isCancelled { return }
        }
    }
}
