// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreAgent

/// Each purchase has a receipt of its own, and isn't delivered without it.
@Suite(.timeLimit(.hang))
struct TransactionReceiptTests {
    private let device: Device
    private let store = ScriptedStore(ScriptedStore.Script(position: .at(5)))
    private static let number = "2000000000000001"
    private static let receipt = Data("receipt of 2000000000000001".utf8)

    init() throws {
        device = try Device()
        store.script.change { script in
            script.pay = { call in
                PaymentCall.Answer(
                    status: .purchased, transaction: .apple(request: call.requestIdentifier), position: .at(5))
            }
        }
    }

    @Test("A purchase is delivered together with its own receipt")
    func purchaseIsToldWithAReceiptOfItsOwn() async throws {
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.add(.apple)
            await process.told(.purchased)
            #expect(process.agent.transactionReceipt(Self.number) == Self.receipt)
        }
        #expect(store.transactionReceipts.value.map(\.transactions) == [[Self.number]])
    }

    @Test("A purchase waits while the store can't give its receipt")
    func purchaseWaitsForAStoreThatCannotGiveItNow() async throws {
        store.script.change { script in
            script.transactionReceipts = { _ in throw StoreFailure(.unavailable, "The database is full.") }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let added = try process.agent.add(.apple)
            await store.transactionReceipts.until { !$0.isEmpty }
            await device.clock.naps.until { $0 >= 1 }
            #expect(try await process.agent.journal.entry(added.id)?.phase == .arrived)
            #expect(process.updates.value.transactions(in: .purchased).isEmpty)

            store.script.change { $0.transactionReceipts = nil }
            device.clock.advance(seconds: 30)
            await process.told(.purchased)
            #expect(process.agent.transactionReceipt(Self.number) == Self.receipt)
        }
    }

    @Test("A purchase is delivered without a receipt if the store doesn't know the request")
    func purchaseDoesNotWaitForWhatTheStoreNeverGives() async throws {
        store.script.change { script in
            script.transactionReceipts = { _ in throw StoreFailure(.notFound, "There is no such message.") }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.add(.apple)
            await process.told(.purchased)
            #expect(process.agent.transactionReceipt(Self.number) == nil)
        }
    }

    @Test("Receipts for another account make no purchase ready")
    func answerForAnotherAccountMakesNothingReady() async throws {
        store.script.change { script in
            script.transactionReceipts = { _ in TransactionReceiptsCall.Answer(account: "other") }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let added = try process.agent.add(.apple)
            await store.transactionReceipts.until { !$0.isEmpty }
            await device.clock.naps.until { $0 >= 1 }
            #expect(try await process.agent.journal.entry(added.id)?.phase == .arrived)
        }
    }

    @Test("A process that ends between the two receipts leaves the second to the next process")
    func processThatDiesBetweenTheReceiptsLeavesTheOtherToTheNext() async throws {
        let isAsked = Watched(false)
        store.script.change { script in
            script.transactionReceipts = { _ in
                isAsked.change { $0 = true }
                throw CancellationError()
            }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.add(.apple)
            await isAsked.until { $0 }
        }
        #expect(FileManager.default.fileExists(atPath: device.receipt.path))
        #expect(process.updates.value.transactions(in: .purchased).isEmpty)
        process.agent.close()

        store.script.change { $0.transactionReceipts = nil }
        let next = try device.process(store)
        next.observe()
        try await next.running { await next.told(.purchased) }
        #expect(next.agent.transactionReceipt(Self.number) == Self.receipt)
        #expect(store.payments.value.count == 1)
    }

    @Test("A long restore asks for its receipts in parts") func longRestoreAsksInParts() async throws {
        let count = 2 * TransactionReceiptsCall.limit + 1
        store.script.change { script in
            script.restore = { _ in
                RestoreCall.Answer(
                    transactions: (1...count).map { .restored("\(2_000_000_000_000_100 + $0)") }, position: .at(5))
            }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.restoreCompletedTransactions()
            let updates = await process.updates.until { $0.last == .restoreFinished }
            let restored = updates.transactions(in: .restored)
            #expect(restored.count == count)
            for case let number? in restored.map(\.transactionIdentifier) {
                #expect(process.agent.transactionReceipt(number) == Data("receipt of \(number)".utf8))
            }
        }
        let asked = store.transactionReceipts.value.map(\.transactions.count)
        #expect(asked.reduce(0, +) == count)
        #expect(asked.allSatisfy { $0 <= TransactionReceiptsCall.limit })
    }

    @Test("A receipt leaves the journal together with its transaction")
    func receiptIsForgottenWithItsTransaction() async throws {
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.add(.apple)
            let bought = await process.told(.purchased)
            try process.agent.finish(bought.id, delivered: nil)
            #expect(process.agent.transactionReceipt(Self.number) == Self.receipt)
            // A snapshot that was asked for before the confirmation forgets nothing.
            try await until { try await process.agent.journal.entry(bought.id)?.phase == .confirmed }
            store.script.change { $0.queue = [] }
            await store.tell(.accountChanged)
            while process.agent.transactionReceipt(Self.number) != nil { try await letOthersRun() }
        }
        #expect(try await process.agent.journal.entry(Self.number) == nil)
    }
}
