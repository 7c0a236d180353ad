// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDatabase
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreAgent
@testable import StoreKit

/// An app that finishes a returned purchase while a listener reads the queue.
@Suite(.timeLimit(.hang))
struct FinishedWhileReadTests {
    @Test("A purchase that the app finishes after a listener has read the queue is no update")
    func finished() async throws {
        let gap = Gap()
        let device = try JournalDevice(system: GapSystem(gap: gap))
        let (agent, hub) = (device.agent, TransactionHub())
        let newer = try device.signed("7") { $0.purchaseDate = .init(timeIntervalSince1970: 1_700_000_100) }
        try await device.save([SignedRow(newer, change: 1), SignedRow(try device.signed("8"), change: 1)])
        try await device.arrive("8")
        let request = try PurchaseRequest("apple", [])
        let purchase = Task { try await request.perform(agent, hub: hub, as: "request") }
        while try await agent.journal.database.read({ try JournalEntry.load($0, "request") }) == nil {
            try await letOthersRun()
        }
        try await device.arrive("7", as: "request")
        _ = try await purchase.value

        // The newest purchase is the first of the page.
        gap.next.withLock { $0 = { try agent.finish("request") } }
        #expect(try await TransactionFeed(hub: hub) { _ in true }.next(agent)?.payloadValue.id == 8)
        #expect(gap.next.withLock { $0 == nil }, "the app has finished nothing")
        device.stop()
    }
}

/// What happens once, after the next page of the queue was read.
private final class Gap: Sendable {
    let next = Mutex<(@Sendable () throws -> Void)?>(nil)

    func pass() throws {
        let next = next.withLock { next in
            defer { next = nil }
            return next
        }
        try next?()
    }
}

private struct GapDatabase: PassingDatabase {
    let engine: any Database
    let gap: Gap

    func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        let value = try await engine.read(isUrgent: isUrgent, body)
        if value is (rows: [(entry: JournalEntry, row: SignedRow)], processes: QueueProcesses) { try gap.pass() }
        return value
    }
}

private struct GapSystem: AgentSystem {
    let gap: Gap
    private let system = PosixSystem(.app)

    init(gap: Gap) {
        self.gap = gap
    }

    var files: any FileSystem { system.files }
    var startsDownloads: Bool { system.startsDownloads }
    func openJournal(_ file: URL) throws -> any Database {
        GapDatabase(engine: try system.openJournal(file), gap: gap)
    }
    func makeQueue(_ label: String) -> any WorkQueue { system.makeQueue(label) }
    func enter(_ process: String, in folder: URL, woken: @escaping @Sendable () -> Void) throws -> any ProcessPresence {
        try system.enter(process, in: folder, woken: woken)
    }
    func acquireLock(_ file: URL) async throws -> any HeldLock { try await system.acquireLock(file) }
}
