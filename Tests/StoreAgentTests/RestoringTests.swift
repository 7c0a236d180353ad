// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite(.timeLimit(.hang))
struct RestoringTests {
    private let device: Device
    private let store = ScriptedStore(ScriptedStore.Script(position: .at(5)))

    init() throws {
        device = try Device()
    }

    @Test("A restore fetches its pages in turn and delivers its end last")
    func pagesAreFetchedInTurnAndTheEndComesLast() async throws {
        store.script.change { script in
            script.restore = { call in
                RestoreCall.Answer(
                    transactions: [.restored("200000000000010\(call.page)")],
                    nextPage: call.page < 2 ? call.page + 1 : nil, position: .at(5))
            }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.restoreCompletedTransactions()
            let updates = await process.updates.until { $0.contains(.restoreFinished) }
            #expect(updates.transactions(in: .restored).count == 3)
            #expect(updates.last == .restoreFinished)
            #expect(updates.transactions(in: .restored).first?.original?.transactionIdentifier == "2000000000000001")
        }
        #expect(store.restores.value.map(\.page) == [0, 1, 2])
        #expect(Set(store.restores.value.map(\.requestIdentifier)).count == 1)
        process.agent.close()

        // Unfinished restored transactions are delivered again at the next
        // launch, the end of the restore isn't.
        let next = try device.process(store)
        next.observe()
        await next.told(.restored, times: 3)
        try await next.running { await store.streams.until { $0.count == 2 } }
        #expect(!next.updates.value.contains(.restoreFinished))
        #expect(next.updates.value.removed.isEmpty)
    }

    @Test("A page from before a refund that the journal has recorded is asked for again")
    func stalePage() async throws {
        let isAsked = Watched(false)
        let mayAnswer = Watched(false)
        store.script.change { script in
            script.restore = { _ in
                isAsked.change { $0 = true }
                await mayAnswer.until { $0 }
                return RestoreCall.Answer(transactions: [.restored("2000000000000101")], position: .at(5))
            }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.restoreCompletedTransactions()
            await isAsked.until { $0 }
            store.script.change { script in
                script.position = .at(6)
                script.restore = { _ in RestoreCall.Answer(position: .at(6)) }
            }
            await store.tell(
                .revoked(
                    RevokedInfo(
                        originalTransactionIdentifier: "2000000000000001", productIdentifier: "com.example.fruit.apple",
                        isEntitlement: true), .at(6)))
            await process.updates.until { $0 == [.revoked([.apple(6)])] }
            mayAnswer.change { $0 = true }
            await device.clock.naps.until { $0 == 1 }
            device.clock.advance(seconds: 30)
            await process.updates.until { $0.last == .restoreFinished }
        }
        #expect(process.updates.value.transactions(in: .restored).isEmpty)
        #expect(store.restores.value.count == 2)
    }

    @Test("A restore is asked for after the store has the finishes before it, so that it has their products")
    func finishesComeBeforeARestore() async throws {
        let mayConfirm = Watched(false)
        let answered = Watched<[String]>([])
        store.script.change { script in
            script.queue = [.apple()]
            script.finish = { _ in
                await mayConfirm.until { $0 }
                answered.change { $0.append("finish") }
                return FinishCall.Answer()
            }
            script.restore = { _ in
                answered.change { $0.append("restore") }
                return RestoreCall.Answer(position: .at(5))
            }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let transaction = await process.told(.purchased)
            try process.agent.finish(transaction.id)
            try process.agent.restoreCompletedTransactions()
            // One is sent by the finish's own work, and one before the restore.
            await store.finishes.until { $0.count == 2 }
            #expect(answered.value.isEmpty)
            mayConfirm.change { $0 = true }
            await process.updates.until { $0.last == .restoreFinished }
        }
        #expect(answered.value.first == "finish" && answered.value.last == "restore")
    }

    @Test("A restore without transactions ends") func restoreOfNothingEndsToo() async throws {
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.restoreCompletedTransactions()
            await process.updates.until { $0 == [.restoreFinished] }
        }
    }

    @Test("A restore goes on after the customer has signed in")
    func restoreGoesOnAfterTheCustomerSignedIn() async throws {
        store.script.change { script in
            script.restore = { _ in RestoreCall.Answer(sheet: "http://store.example/sheet/9") }
        }
        let presenter = RecordingPresenter()
        let process = try device.process(store, presenter: presenter)
        process.observe()
        try await process.running {
            try process.agent.restoreCompletedTransactions()
            await presenter.sheets.until { $0.count == 1 }
            store.script.change { script in
                script.restore = { _ in
                    RestoreCall.Answer(transactions: [.restored("2000000000000101")], position: .at(5))
                }
            }
            await store.tell(.accountChanged)
            await process.updates.until { $0.last == .restoreFinished }
        }
        #expect(process.updates.value.transactions(in: .restored).count == 1)
    }

    @Test("A restore without a network fails") func restoreWithoutANetworkFailsAtOnce() async throws {
        store.script.change { $0.outage = .notSent }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.restoreCompletedTransactions()
            let updates = await process.updates.until { !$0.isEmpty }
            guard case .restoreFailed(let failure) = updates.first else {
                Issue.record("received \(updates)")
                return
            }
            #expect(failure.underlying?.domain == "NSURLErrorDomain")
        }
    }

    @Test("A refresh writes the receipt, or fails with the store's reason")
    func refreshReplacesTheReceiptAndFailsWithTheStoresReason() async throws {
        let process = try device.process(store)
        try await process.running {
            try await process.agent.refreshReceipt()
            #expect(FileManager.default.fileExists(atPath: device.receipt.path))

            store.script.change { script in
                script.receipt = { _ in
                    ReceiptCall.Answer(failure: PurchaseFailure(.paymentCancelled, "The customer closed the sheet."))
                }
            }
            await #expect(throws: PurchaseFailure(.paymentCancelled, "The customer closed the sheet.")) {
                try await process.agent.refreshReceipt()
            }
        }
    }

    @Test("The properties of a refresh reach the store, and apply to that refresh only")
    func whatARefreshAsksForReachesTheStoreAndNoOtherReceipt() async throws {
        let process = try device.process(store)
        let asked = Watched<[ReceiptProperties?]>([])
        try await process.running {
            // The synchronizer has done the work that the start of the stream causes.
            while try await process.agent.journal.state().receipt == nil { try await letOthersRun() }
            store.script.change { script in
                script.receipt = { [agent = process.agent, position = script.position] call in
                    asked.change { $0.append(call.properties) }
                    return try ScriptedStore.receipt(for: agent.identity.credentials, call, position)
                }
            }
            try await process.agent.refreshReceipt(ReceiptProperties(isExpired: true, isVolumePurchase: true))
            try await process.agent.refreshReceipt()
        }
        #expect(asked.value == [ReceiptProperties(isExpired: true, isVolumePurchase: true), nil])
    }

    @Test("An older receipt doesn't replace a newer one") func olderReceiptNeverReplacesANewer() async throws {
        let process = try device.process(store)
        try await process.running {
            // A whole queue with a lower number would mean that the store was restored from a backup.
            while try await process.agent.journal.state().position == nil { try await letOthersRun() }
            try await process.agent.refreshReceipt()
            let newer = try Data(contentsOf: device.receipt)
            store.script.change { $0.position = .at(4) }
            try await process.agent.refreshReceipt()
            #expect(try Data(contentsOf: device.receipt) == newer)
            #expect(try await process.agent.journal.state().receipt == .at(5))
        }
    }
}
