// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

/// The time of a sandbox account, as its devices know it.
@Suite(.timeLimit(.hang))
struct AccountTimeTests {
    private let now: Int64 = 1_700_000_000_000
    private let day: Int64 = 86_400_000

    @Test("The journal keeps the clock of the newest snapshot or event, and that of an old store is the device's")
    func journal() async throws {
        let journal = try Journal(try SQLiteDatabase(.memory), device: "phone")
        #expect(try await journal.state().clockOffset == 0)
        let moved = QueueSnapshot(position: .at(5), transactions: [], clockOffset: day)
        try await journal.apply(.snapshot(moved), question: 1, now: now)
        #expect(try await journal.state().clockOffset == day)
        try await journal.apply(.clock(offset: -day, .at(6)), question: 1, now: now)
        #expect(try await journal.state().clockOffset == -day)
        // A late event.
        try await journal.apply(.clock(offset: day, .at(5)), question: 1, now: now)
        #expect(try await journal.state().clockOffset == -day)
        #expect(try await journal.state().position == .at(6))
        try await journal.apply(
            .snapshot(QueueSnapshot(position: .at(7), transactions: [])), question: 2, now: now)
        #expect(try await journal.state().clockOffset == 0)
    }

    @Test("The agent gives the account's time, also in its next launch")
    func agent() async throws {
        let device = try Device()
        let store = ScriptedStore(ScriptedStore.Script(position: .at(5)))
        let process = try device.process(store)
        try await process.running {
            await store.tell(.clock(offset: day, .at(6)))
            while process.agent.accountTime == device.clock.clock.now { try await letOthersRun() }
        }
        process.agent.close()
        #expect(try device.process(store).agent.accountTime == device.clock.clock.now + day)
    }
}
