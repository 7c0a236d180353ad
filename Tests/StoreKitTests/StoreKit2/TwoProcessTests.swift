// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreAPI
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent
@testable import StoreKit

/// Two processes of one app that both use StoreKit 2.
@Suite(.timeLimit(.hang))
struct TwoProcessTests {
    private let device: JournalDevice
    private let other: Agent
    /// The purchases of the first process, and the listeners of the other one.
    private let hub = TransactionHub()
    private let otherHub = TransactionHub()

    init() throws {
        device = try JournalDevice()
        other = try device.process()
    }

    /// Buys an apple in the first process, whose purchase returns it.
    private func buy(_ number: String) async throws -> Transaction {
        let (agent, hub) = (device.agent, hub)
        let request = try PurchaseRequest("apple", [])
        let purchase = Task { try await request.perform(agent, hub: hub, as: "request") }
        while try agent.journal.database.readAndWait({ try JournalEntry.load($0, "request") }) == nil {
            try await letOthersRun()
        }
        try await device.arrive(number, as: "request")
        guard case .success(let result) = try await purchase.value else { throw StoreKitError.unknown }
        return try result.payloadValue
    }

    private func row(_ number: String, _ seconds: Double) throws -> SignedRow {
        SignedRow(try device.signed(number) { $0.purchaseDate = .init(timeIntervalSince1970: seconds) }, change: 1)
    }

    private func until(_ isTrue: () throws -> Bool) async throws {
        while try !isTrue() { try await letOthersRun() }
    }

    @Test("A transaction that a purchase has returned is no update of another process, until the first process ends")
    func returned() async throws {
        // The newest purchase is the first update.
        try await device.save([try row("8", 1_700_000_000), try row("7", 1_700_000_100)])
        let transaction = try await buy("7")
        #expect(transaction.id == 7)
        let journal = device.agent.journal
        try await until { try journal.database.readAndWait { try Journal.processes($0).keepers.count } == 1 }

        let agent = other
        let feed = TransactionFeed(hub: otherHub) { _ in true }
        try await device.arrive("8")
        #expect(try await feed.next(agent)?.payloadValue.id == 8)
        // The first process ends without a finish.
        device.stop()
        agent.delivery.look()
        #expect(try await feed.next(agent)?.payloadValue.id == 7)
        other.close()
    }

    @Test("A transaction that a purchase has returned and the app has finished is no update, and none is kept")
    func finished() async throws {
        try await device.save([try row("8", 1_700_000_000), try row("7", 1_700_000_100)])
        _ = try await buy("7")
        let shown = try #require(try device.agent.transactions.first)
        // StoreKit 1 finishes it.
        try device.agent.finish(shown.id)
        #expect(device.agent.returnedTransactions.all.isEmpty)
        let feed = TransactionFeed(hub: otherHub) { _ in true }
        try await device.arrive("8")
        #expect(try await feed.next(other)?.payloadValue.id == 8)
        #expect(try await TransactionListing(.unfinished).next(other)?.payloadValue.id == 8)
        device.stop()
        other.close()
    }

    @Test("Two listeners of two processes never both receive a transaction that no process holds")
    func free() async throws {
        try await device.save([try row("7", 1_700_000_000)])
        try await device.arrive("7")
        // The other process observes, and hasn't taken the transaction yet.
        #expect(try await other.unfinishedSignedTransactions(includesFree: false).rows.isEmpty)
        #expect(try await other.unfinishedSignedTransactions().rows.count == 1)
        let feed = TransactionFeed(hub: otherHub) { _ in true }
        #expect(try await feed.next(other)?.payloadValue.id == 7)
        #expect(try await device.agent.unfinishedSignedTransactions().rows.isEmpty)
        device.stop()
        other.close()
    }

    @Test("A purchase whose customer signs out isn't awaited, and is an update when the customer is back")
    func away() async throws {
        try await device.save([try row("7", 1_700_000_000)])
        let (agent, hub) = (device.agent, hub)
        let request = try PurchaseRequest("apple", [])
        let purchase = Task { try await request.perform(agent, hub: hub, as: "request") }
        let journal = agent.journal
        try await until { try journal.database.readAndWait { try JournalEntry.load($0, "request") } != nil }
        let (position, transaction) = (EventPosition(account: "customer", number: 2), device.purchase("7"))
        try await journal.database.write { connection in
            let entry = try #require(try JournalEntry.load(connection, "request"))
            try Journal.handle(connection, entry, .arrived(transaction, position, question: 0), now: 1)
        }
        device.look()
        // The receipt isn't here yet when another customer signs in.
        try await journal.database.write { connection in
            try JournalState.update(connection) { state in
                state.position = EventPosition(account: "other", number: 1)
                state.wantedReceipt = state.position
            }
        }
        agent.delivery.look()
        await #expect(throws: StoreKitError.self) { try await purchase.value }

        try await journal.database.write { connection in
            try JournalState.update(connection) { ($0.position, $0.wantedReceipt) = (position, position) }
            let entry = try #require(try JournalEntry.load(connection, "request"))
            try Journal.handle(connection, entry, .receipt(position), now: 1)
        }
        agent.delivery.look()
        let feed = TransactionFeed(hub: hub) { _ in true }
        #expect(try await feed.next(agent)?.payloadValue.id == 7)
        device.stop()
        other.close()
    }
}
