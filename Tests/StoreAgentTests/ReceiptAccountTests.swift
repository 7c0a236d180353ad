// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

/// The account and the position of the receipt on the device.
@Suite(.timeLimit(.hang))
struct ReceiptAccountTests {
    private let device: Device
    private let store = ScriptedStore(ScriptedStore.Script(position: .at(5)))
    private static let other = EventPosition(account: "other", number: 2)

    init() throws {
        device = try Device()
    }

    private func until(
        _ process: AppProcess, _ condition: (JournalState) -> Bool
    ) async throws {
        try await StoreTestSupport.until { condition(try await process.agent.journal.state()) }
    }

    @Test("The agent takes a receipt of another account than it wanted, and doesn't ask again")
    func receiptOfAnotherAccountThanWantedIsFollowed() async throws {
        let asked = Watched(0)
        store.script.change { script in
            script.pay = { call in
                PaymentCall.Answer(
                    status: .purchased, transaction: .apple(request: call.requestIdentifier), position: Self.other)
            }
        }
        let process = try device.process(store)
        try await process.running {
            try await until(process) { $0.receipt == .at(5) }
            store.script.change { script in
                script.receipt = { [agent = process.agent] call in
                    asked.change { $0 += 1 }
                    return try ScriptedStore.receipt(for: agent.identity.credentials, call, .at(6))
                }
            }
            let added = try process.agent.add(.apple)
            try await until(process) { $0.receipt == .at(6) }
            try await until(process) { !$0.needsReceipt }
            // The purchase of the other account waits for that account's receipt.
            #expect(try await process.agent.journal.entry(added.id)?.phase == .arrived)
        }
        #expect(asked.value == 1)
    }

    @Test("A late receipt of the previous account replaces no receipt, and the refresh asks again")
    func lateReceiptOfAnotherAccountReplacesNothingAndIsAskedForAgain() async throws {
        let process = try device.process(store)
        let isAsked = Watched(false)
        let mayAnswer = Watched(false)
        let late = Watched(0)
        try await process.running {
            try await until(process) { $0.receipt == .at(5) }
            store.script.change { script in
                script.receipt = { [agent = process.agent] call in
                    guard call.mayAskToSignIn else {
                        return try ScriptedStore.receipt(for: agent.identity.credentials, call, Self.other)
                    }
                    isAsked.change { $0 = true }
                    await mayAnswer.until { $0 }
                    late.change { $0 += 1 }
                    return try ScriptedStore.receipt(
                        for: agent.identity.credentials, call, late.value == 1 ? .at(9) : Self.other)
                }
            }
            async let refreshed: Void = process.agent.refreshReceipt()
            await isAsked.until { $0 }
            store.script.change { $0.position = Self.other }
            await store.tell(.accountChanged)
            try await until(process) { $0.receipt == Self.other }
            let current = try Data(contentsOf: device.receipt)
            mayAnswer.change { $0 = true }
            // The refresh waits for another receipt, because the app relies on a fresh one.
            await device.clock.naps.until { $0 == 1 }
            #expect(late.value == 1)
            #expect(try Data(contentsOf: device.receipt) == current)
            #expect(try await process.agent.journal.state().receipt == Self.other)
            device.clock.advance(seconds: 30)
            try await refreshed
            #expect(late.value == 2)
        }
    }

    @Test("A late answer for the previous account doesn't hold up the purchases of the new one")
    func lateAnswer() async throws {
        let process = try device.process(store)
        let mayAnswer = Watched(false)
        process.observe()
        try await process.running {
            try await until(process) { $0.receipt == .at(5) }
            // Another account signs in and buys. Before its receipt arrives, a
            // late answer delivers a transaction of the first account.
            let credentials = process.agent.identity.credentials
            store.script.change { script in
                script.position = Self.other
                script.queue = [.apple("2000000000000007")]
                script.transactionReceipts = { ScriptedStore.receipts(for: $0, Self.other) }
                script.receipt = { call in
                    await mayAnswer.until { $0 }
                    return try ScriptedStore.receipt(for: credentials, call, Self.other)
                }
            }
            await store.tell(.accountChanged)
            try await until(process) { $0.wantedReceipt == Self.other }
            try await process.agent.journal.database.write { connection in
                _ = try Journal.arrive(
                    connection, .apple("2000000000000005"), .at(5), question: 1, restore: nil, now: 0)
            }
            mayAnswer.change { $0 = true }
            #expect(await process.told(.purchased).transactionIdentifier == "2000000000000007")
        }
    }

    @Test("A purchase comes back with its account's receipt when the event stream noticed no change of the account")
    func purchaseComesBackWithoutASnapshot() async throws {
        let transaction = "2000000000000005"
        store.script.change { $0.queue = [.apple(transaction)] }
        let process = try device.process(store)
        process.observe()
        @Sendable func phase() async throws -> JournalEntry.Phase? {
            try await process.agent.journal.database.read { connection in
                try JournalEntry.load(connection, transaction: transaction)?.phase
            }
        }
        try await process.running {
            #expect(await process.told(.purchased).transactionIdentifier == transaction)
            // Another account signs in, and then the first one again. Only answers to refreshes show it.
            let credentials = process.agent.identity.credentials
            store.script.change { script in
                script.receipt = { try ScriptedStore.receipt(for: credentials, $0, Self.other) }
                script.transactionReceipts = { ScriptedStore.receipts(for: $0, Self.other) }
            }
            try await process.agent.refreshReceipt()
            try await StoreTestSupport.until { try await phase() == .away }
            store.script.change { script in
                script.receipt = { try ScriptedStore.receipt(for: credentials, $0, .at(5)) }
                script.transactionReceipts = { ScriptedStore.receipts(for: $0, .at(5)) }
            }
            try await process.agent.refreshReceipt()
            try await StoreTestSupport.until { try await phase() == .ready }
        }
    }

    @Test("A stream that is opened again brings the queue when the receipt is of another account than the events")
    func accountChangedTwiceUnnoticed() async throws {
        let transaction = "2000000000000005"
        store.script.change { $0.queue = [.apple(transaction)] }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            #expect(await process.told(.purchased).transactionIdentifier == transaction)
            // Another account signs in. Only the answer to a refresh shows it.
            let credentials = process.agent.identity.credentials
            store.script.change { script in
                script.receipt = { try ScriptedStore.receipt(for: credentials, $0, Self.other) }
                script.transactionReceipts = { ScriptedStore.receipts(for: $0, Self.other) }
            }
            try await process.agent.refreshReceipt()
            try await until(process) { $0.receipt == Self.other }
        }

        // The first account signs in again while the app doesn't run.
        store.script.change { script in
            script.receipt = nil
            script.transactionReceipts = nil
        }
        let later = try device.process(store)
        try await later.running {
            try await StoreTestSupport.until {
                try await later.agent.journal.database.read { connection in
                    try JournalEntry.load(connection, transaction: transaction)?.phase == .ready
                }
            }
            try await until(later) { $0.receipt == .at(5) }
        }
        #expect(store.streams.value.last?.subscription.position == nil)
    }

    @Test("A purchase that left with its account waits for the events up to that account's receipt")
    func purchaseThatLeftWaitsForEvents() async throws {
        var state = JournalState(sequence: 0, question: 0)
        (state.position, state.receipt) = (.at(5), .at(7))
        var entry = JournalEntry.unasked(.apple("2000000000000005"), sequence: 1, now: 0)
        entry.listed = 7
        entry.phase = .returning
        #expect(state.mayDeliver(entry))
        // Its transaction may have been handed over by one of the events.
        entry.phase = .away
        #expect(!state.mayDeliver(entry))
        state.position = .at(7)
        #expect(state.mayDeliver(entry))
    }

    @Test("A late receipt from before a purchase isn't stored in place of one that was removed")
    func lateReceiptReplacesNoRemovedOne() async throws {
        let process = try device.process(store)
        let credentials = process.agent.identity.credentials
        let mayAnswer = Watched(false)
        let isRemoved = Watched(false)
        let refreshes = Watched(0)
        let purchases = [TransactionInfo.apple()]
        process.observe()
        try await process.running {
            try await until(process) { $0.receipt == .at(5) }
            store.script.change { script in
                script.pay = { call in
                    PaymentCall.Answer(
                        status: .purchased, transaction: .apple(request: call.requestIdentifier), position: .at(7))
                }
                script.receipt = { call in
                    if call.mayAskToSignIn {
                        refreshes.change { $0 += 1 }
                        if refreshes.value == 1 {
                            await mayAnswer.until { $0 }
                            return try ScriptedStore.receipt(for: credentials, call, .at(5))
                        }
                    } else if isRemoved.value {
                        throw StoreFailure(.unavailable, "The database is full.")
                    }
                    return try ScriptedStore.receipt(for: credentials, call, .at(7), listing: purchases)
                }
            }
            async let refreshed: Void = process.agent.refreshReceipt()
            await refreshes.until { $0 == 1 }
            _ = try process.agent.add(.apple)
            await process.told(.purchased)

            isRemoved.change { $0 = true }
            try FileManager.default.removeItem(at: device.receipt)
            await store.tell(.accountChanged)
            try await until(process) { $0.receipt == nil }
            await device.clock.naps.until { $0 == 1 }
            mayAnswer.change { $0 = true }
            // The app has the purchase, and the answer's receipt doesn't list it.
            try await StoreTestSupport.until { [device] in
                device.clock.naps.value == 2 || FileManager.default.fileExists(atPath: device.receipt.path)
            }
            #expect(!FileManager.default.fileExists(atPath: device.receipt.path))
            #expect(try await process.agent.journal.state().receipt == nil)

            device.clock.advance(seconds: 30)
            try await refreshed
            #expect(try await process.agent.journal.state().receipt == .at(7))
            #expect(FileManager.default.fileExists(atPath: device.receipt.path))
        }
    }

    @Test("Without a receipt on disk, one is stored that is as new as required")
    func receiptInPlaceOfARemovedOne() {
        var state = JournalState(sequence: 0, question: 0)
        #expect(!state.mayReplaceReceipt(with: .at(5)))
        state.position = .at(4)
        #expect(state.mayReplaceReceipt(with: .at(3)))
        state.wantReceipt(.at(5))
        #expect(!state.mayReplaceReceipt(with: .at(4)))
        #expect(state.mayReplaceReceipt(with: .at(5)))
        // A receipt that is older than required is better than an even older one.
        state.receipt = .at(3)
        #expect(state.mayReplaceReceipt(with: .at(4)))
        state.receipt = Self.other
        #expect(state.mayReplaceReceipt(with: .at(4)))
    }

    @Test("The agent asks for the receipt again without a pause when the account has changed meanwhile")
    func receiptIsAskedForAgainAtOnceWhenTheAccountHasChangedMeanwhile() async throws {
        let process = try device.process(store)
        let isAsked = Watched(false)
        let mayAnswer = Watched(false)
        let credentials = process.agent.identity.credentials
        store.script.change { script in
            script.receipt = { call in
                isAsked.change { $0 = true }
                await mayAnswer.until { $0 }
                return try ScriptedStore.receipt(for: credentials, call, .at(5))
            }
        }
        try await process.running {
            await isAsked.until { $0 }
            store.script.change { script in
                script.position = Self.other
                script.receipt = nil
            }
            await store.tell(.accountChanged)
            try await until(process) { $0.position == Self.other }
            mayAnswer.change { $0 = true }
            try await until(process) { $0.receipt == Self.other }
        }
        #expect(device.clock.naps.value == 0)
    }

    @Test("The journal names no receipt while the file is replaced by another account's receipt")
    func journalDoesNotSpeakOfAReceiptThatIsReplacedByAnotherAccounts() async throws {
        let agent = Watched<Agent?>(nil)
        let known = Watched<[EventPosition?]>([])
        let process = try device.process(
            store,
            faults: { step in
                guard step == "receipt:after", let journal = agent.value?.journal else { return }
                let receipt = try? journal.state().receipt
                known.change { $0.append(receipt) }
            })
        agent.change { $0 = process.agent }
        try await process.running {
            try await until(process) { $0.receipt == .at(5) }
            store.script.change { $0.position = Self.other }
            await store.tell(.accountChanged)
            try await until(process) { $0.receipt == Self.other }
        }
        #expect(known.value == [nil, nil])
    }

    @Test("A purchase isn't shown with the receipt of another account, and can still be finished")
    func purchaseIsNotShownByTheReceiptOfAnotherAccount() async throws {
        let process = try device.process(store)
        let journal = process.agent.journal
        let entry = try process.agent.add(.apple)
        let answer = PaymentCall.Answer(
            status: .purchased, transaction: .apple(request: entry.id), position: .at(9))
        _ = try await journal.answer(entry.id, answer, now: 0)
        try journal.received(
            .at(9), environment: "Sandbox", listing: [TransactionInfo.apple().transactionIdentifier])
        let receipts = TransactionReceiptsCall.Answer(account: "account")
        try await journal.received(receipts, asked: [TransactionInfo.apple().transactionIdentifier], now: 0)
        #expect(try process.agent.transactions.map(\.state) == [.purchased])

        // The process dies here. The other account's receipt may be on disk or
        // not, and its queue hasn't arrived yet.
        try journal.willReplaceReceipt(by: Self.other, listing: [])

        #expect(try process.agent.transactions.isEmpty)
        #expect(try process.agent.finish(entry.id) == nil)
        #expect(try await journal.entry(entry.id)?.phase == .finished)
    }

    @Test("A store that was restored from a backup replaces a newer receipt")
    func storeThatWasRestoredFromABackupReplacesANewerReceipt() async throws {
        let process = try device.process(store)
        try await process.running {
            try await until(process) { $0.receipt == .at(5) }
            store.script.change { $0.position = .at(3) }
            await store.tell(.snapshot(QueueSnapshot(position: .at(3), transactions: [])))
            try await until(process) { $0.receipt == .at(3) }
            #expect(try await process.agent.journal.state().needsReceipt == false)
        }
    }

    @Test("A stream's first snapshot from before the receipt leaves the receipt, and a later one is a backup's")
    func snapshotThatIsOvertakenByAReceipt() async throws {
        let journal = try device.process(store).agent.journal
        let (question, _) = try await journal.ask(opensStream: true)
        try journal.received(.at(9), environment: "Sandbox", listing: [])
        let late = QueueSnapshot(position: .at(5), transactions: [])

        try await journal.apply(.snapshot(late), question: question, now: 0)
        #expect(try await journal.state().receipt == .at(9))

        // A store that was restored from a backup sends it on a new stream.
        let (again, _) = try await journal.ask(opensStream: true)
        try await journal.apply(.snapshot(late), question: again, now: 0)
        #expect(try await journal.state().receipt == nil)
    }

    @Test("A snapshot from before a purchase changes neither the receipt nor the purchase")
    func snapshotThatIsOvertakenByAPurchaseChangesNothing() async throws {
        let process = try device.process(store)
        let journal = process.agent.journal
        let (question, _) = try await journal.ask()
        let entry = try process.agent.add(.apple)
        let answer = PaymentCall.Answer(
            status: .purchased, transaction: .apple(request: entry.id), position: .at(9))
        _ = try await journal.answer(entry.id, answer, now: 0)
        try journal.received(
            .at(9), environment: "Sandbox", listing: [TransactionInfo.apple().transactionIdentifier])
        let receipts = TransactionReceiptsCall.Answer(account: "account")
        try await journal.received(receipts, asked: [TransactionInfo.apple().transactionIdentifier], now: 0)

        let late = QueueSnapshot(position: .at(5), transactions: [])
        try await journal.apply(.snapshot(late), question: question, now: 0)

        #expect(try await journal.state().receipt == .at(9))
        #expect(try await journal.entry(entry.id)?.phase == .ready)
    }
}
