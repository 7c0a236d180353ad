// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

/// A device's home that commit 4e37f59 has written, opened by this version.
@Suite(.timeLimit(.hang))
struct OldDeviceTests {
    private let device: Device
    private let store = ScriptedStore()
    private let folder: AgentFolder

    init() throws {
        device = try Device()
        try OldFiles.makeHome(at: device.home)
        folder = AgentFolder(home: device.home, bundleIdentifier: OldFiles.bundleIdentifier)
    }

    private static func product(_ name: String) -> String { "\(OldFiles.bundleIdentifier).\(name)" }

    private func process() throws -> AppProcess {
        AppProcess(
            try Agent(
                AgentConfiguration(
                    storeURL: URL(string: "http://store.example"), bundleIdentifier: OldFiles.bundleIdentifier,
                    home: device.home, trust: device.trust),
                connection: store, presenter: RecordingPresenter(), clock: device.clock.clock,
                random: AgentRandom(SystemRandomNumberGenerator()), logger: .silent))
    }

    private func entry(_ product: String, of process: AppProcess) async throws -> JournalEntry {
        let entries = try await process.agent.journal.database.read { connection in
            try JournalEntry.load(connection, in: JournalEntry.Phase.allCases)
        }
        return try #require(entries.first { $0.payment.productIdentifier == Self.product(product) })
    }

    @Test("The device keeps its identity, its journal and its receipt")
    func opened() async throws {
        let process = try process()

        #expect(process.agent.credentials == (try OldFiles.credentials()))
        let seeds = try await entry("Seeds", of: process)
        #expect(seeds.phase == .finished && seeds.payment.quantity == 1)
        let number = try #require(seeds.transaction?.transactionIdentifier)
        #expect(process.agent.transactionReceipt(number) != nil)
        let orange = try await entry("Orange", of: process)
        #expect(orange.phase == .deferred && orange.request == orange.identifier)
        #expect(try process.agent.transactions.map(\.state) == [.deferred])
        let state = try await process.agent.journal.state()
        #expect(state.position == seeds.position && state.receipt == seeds.position && !state.needsReceipt)
        #expect(process.agent.storefront?.countryCode == "USA")
        #expect(process.agent.receiptURL == folder.receipt(isSandbox: true))
        #expect(try Data(contentsOf: process.agent.receiptURL) == OldFiles.receipt())
    }

    @Test("The unsent finish is sent, and the consumable isn't delivered again")
    func unsentFinish() async throws {
        let process = try process()
        let seeds = try await entry("Seeds", of: process)
        let orange = try await entry("Orange", of: process)
        let transaction = try #require(seeds.transaction)
        let position = try #require(seeds.position)
        store.script.change { [store] script in
            script.position = position
            script.queue = [transaction]
            script.pay = { _ in PaymentCall.Answer(status: .deferred) }
            script.finish = { [weak store] _ in
                store?.script.change { $0.queue = [] }
                return FinishCall.Answer()
            }
        }
        process.observe()
        let next = EventPosition(account: position.account, number: position.number + 1)
        try await process.running {
            let finishes = await store.finishes.until { !$0.isEmpty }
            #expect(finishes.map(\.transactionIdentifier) == [transaction.transactionIdentifier])
            #expect(finishes.map(\.requestIdentifier) == ["finish-\(transaction.transactionIdentifier)"])
            await process.told(.deferred)
            store.script.change { $0.position = next }
            var bought = TransactionInfo.apple("2000000000000077", request: orange.identifier)
            bought.productIdentifier = Self.product("Orange")
            await store.tell(.transaction(bought, next))
            let delivered = await process.told(.purchased)
            #expect(delivered.id == orange.identifier)
        }
        #expect(store.finishes.value.count == 1)
        #expect(process.updates.value.transactions(in: .deferred).map(\.id) == [orange.identifier])
        #expect(process.updates.value.transactions(in: .purchased).map(\.id) == [orange.identifier])
        #expect(try Data(contentsOf: folder.receipt(isSandbox: true)) != OldFiles.receipt())
        process.agent.close()

        let again = try self.process()
        #expect(try again.agent.transactions.map(\.id) == [orange.identifier])
    }
}
