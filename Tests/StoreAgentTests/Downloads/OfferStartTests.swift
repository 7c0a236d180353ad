// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("Downloads that the daemon starts")
struct OfferStartTests {
    private let device: Device
    private let journal: Journal
    private let reader: any Database

    init() throws {
        device = try Device()
        let folder = AgentFolder(home: device.home, bundleIdentifier: Device.bundle)
        try folder.create()
        journal = try Journal(try PosixSystem().openJournal(folder.journal), device: "phone")
        reader = try PosixSystem().openJournal(folder.journal)
        _ = try journal.enter("app") { _ in true }
        try journal.observe("app")
    }

    private var apple: TransactionInfo {
        var apple = TransactionInfo.apple()
        apple.content = [ContentOffer(product: "apple", version: "1.0", length: 100, files: 2)]
        return apple
    }

    /// The transactions that are committed.
    @Sendable private func entries() -> Int? {
        try? reader.read { connection in try connection.row("SELECT count(*) AS n FROM entry")?.get("n") }
    }

    private func phase(isAlive: @escaping @Sendable (String) -> Bool) async throws -> Download.Phase? {
        let apple = apple
        let event = TransactionEvent(transaction: apple, position: .at(5))
        try await journal.apply(event, question: 0, now: 1, starting: OfferStart([apple], isAlive: isAlive))
        return try await journal.database.read { connection in
            try Download.load(connection, of: apple.transactionIdentifier).first?.phase
        }
    }

    @Test("A download starts in the transaction of the journal that saves its purchase")
    func together() async throws {
        let committed = Watched<[Int?]>([])
        let phase = try await phase { [reader] _ in
            let count: Int? = try? reader.read { try $0.row("SELECT count(*) AS n FROM entry")?.get("n") }
            committed.change { $0.append(count) }
            return false
        }
        #expect(committed.value == [0] && entries() == 1)
        #expect(phase == .queued)
    }

    @Test("A process of the app that observes the queue decides about its downloads itself")
    func observed() async throws {
        #expect(try await phase { $0 == "app" } == .offered)
    }
}
