// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("Absurd answers of a store to an agent", .timeLimit(.hang))
struct HostileStoreTests {
    private let device: Device
    private let store = ScriptedStore()

    init() throws {
        device = try Device()
        store.script.change { $0.position = .at(5) }
    }

    @Test(
        "A sheet that isn't of the web fails its payment, and no presenter gets it",
        arguments: ["--remote-debugging-port=1", "file:///etc/passwd", "javascript:alert(1)", "/usr/bin/reboot"])
    func sheet(_ address: String) async throws {
        store.script.change { script in
            script.pay = { _ in PaymentCall.Answer(status: .authorise, sheet: address) }
        }
        let presenter = RecordingPresenter()
        let process = try device.process(store, presenter: presenter)
        process.observe()
        try await process.running {
            try process.agent.add(.apple)
            let failed = await process.told(.failed)
            #expect(failed.failure?.message.contains("nothing was charged") == true)
            #expect(failed.failure?.message.contains("STOREKIT_STORE_URL") == true)
        }
        #expect(presenter.sheets.value.isEmpty)
    }

    @Test("A restore whose sign-in sheet isn't of the web fails")
    func signIn() async throws {
        store.script.change { script in
            script.restore = { _ in RestoreCall.Answer(sheet: "file:///etc/passwd") }
        }
        let presenter = RecordingPresenter()
        let process = try device.process(store, presenter: presenter)
        process.observe()
        try await process.running {
            try process.agent.restoreCompletedTransactions()
            let updates = await process.updates.until { !$0.isEmpty }
            guard case .restoreFailed = updates.first else {
                Issue.record("received \(updates)")
                return
            }
        }
        #expect(presenter.sheets.value.isEmpty)
    }

    @Test("A restore that gives the same page again, or pages without end, fails", arguments: [0, 100])
    func restoreWithoutAnEnd(_ step: Int) async throws {
        store.script.change { script in
            script.restore = { call in
                RestoreCall.Answer(transactions: [], nextPage: call.page + step, position: .at(5))
            }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.restoreCompletedTransactions()
            let updates = await process.updates.until { !$0.isEmpty }
            guard case .restoreFailed(let failure) = updates.first else {
                Issue.record("received \(updates)")
                return
            }
            #expect(failure.message.contains("doesn't end"), "\(failure.message)")
        }
    }

    @Test("One payment shows five sheets at most, and each once")
    func sheets() {
        let signals = PendingSignals()
        func shown(_ number: Int, of owner: String) -> Bool {
            signals.mayShow(
                StoreSynchronizer.Sheet(address: "http://store.example/sheet/\(number)", owner: .entry(owner)))
        }
        #expect((0..<20).filter { shown($0, of: "a") } == [0, 1, 2, 3, 4])
        #expect(shown(0, of: "b") && !shown(0, of: "b"))
    }

    @Test("A refusal's message comes to the app short and without control characters")
    func refusal() async throws {
        let text = "No.\u{1b}[2J\n" + String(repeating: "x", count: 100_000)
        store.script.change { script in
            script.pay = { _ in throw StoreFailure(.invalid, text) }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.add(.apple)
            let message = await process.told(.failed).failure?.message ?? ""
            #expect(message.hasPrefix("No."))
            #expect(message.count <= PrintableText.limit + 1)
            #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "\(message.prefix(20))")
        }
    }
}

@Suite("Transactions of a store that the agent refuses")
struct TransactionCheckTests {
    @Test("The agent accepts ordinary purchases and restored transactions")
    func ordinaryTransactionsAreAccepted() throws {
        try TransactionInfo.apple().check(at: .at(5))
        try TransactionInfo.restored("2000000000000101").check(at: .at(5))
    }

    @Test(
        "The agent refuses a transaction with a quantity that can't be bought",
        arguments: [Int.min, -1, 0, 1_000_001, Int.max])
    func quantitiesThatCannotBeBought(_ quantity: Int) {
        var transaction = TransactionInfo.restored("2000000000000101")
        transaction.quantity = quantity
        #expect(throws: StoreFailure(.unreadableAnswer, "")) { try transaction.check(at: .at(5)) }
        transaction.quantity = 1
        transaction.restores?.quantity = quantity
        #expect(throws: StoreFailure(.unreadableAnswer, "")) { try transaction.check(at: .at(5)) }
    }

    @Test(
        "The agent refuses a transaction with an invalid identifier",
        arguments: ["", "1\u{0}", "1\n", String(repeating: "1", count: 256)])
    func identifiersThatAreNone(_ identifier: String) {
        #expect(throws: StoreFailure(.unreadableAnswer, "")) { try TransactionInfo.apple(identifier).check(at: .at(5)) }
    }
}
