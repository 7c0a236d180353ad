// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreAgent

/// Asynchronous functions of the agent block no thread of the runtime.
@Suite(.timeLimit(.hang))
struct BlockingWorkTests {
    private let device: Device
    private let store = ScriptedStore()

    init() throws {
        device = try Device()
    }

    @Test("A subscriber begins to observe while the journal is locked, and other tasks run meanwhile")
    func observing() async throws {
        let agent = try device.process(store).agent
        let lock = try JournalLock(agent.folder.journal)
        let thread = OneThread()
        let begins = Task(executorPreference: thread) {
            agent.beginObserving(as: Agent.Subscriber("other")) { _ in }
            await agent.observed()
        }
        // The only thread of the executor isn't blocked.
        let other = Task(executorPreference: thread) { 7 }
        #expect(await other.value == 7)
        #expect(try agent.journal.database.readAndWait { try Journal.observers($0) }.isEmpty)
        try lock.release()
        await begins.value
        // On a busy machine the write may have given up waiting for the lock; it is repeated.
        while try agent.journal.database.readAndWait({ try Journal.observers($0) }) != [agent.presence.identifier] {
            try await letOthersRun()
        }
        agent.endObserving(as: Agent.Subscriber("other"))
        await agent.observed()
        while try !agent.journal.database.readAndWait({ try Journal.observers($0) }).isEmpty {
            try await letOthersRun()
        }
    }

    @Test("Ending to observe, and beginning again, have their effect in the order of the calls")
    func order() async throws {
        let agent = try device.process(store).agent
        let subscriber = Agent.Subscriber("other")
        for _ in 0..<50 {
            agent.beginObserving(as: subscriber) { _ in }
            agent.endObserving(as: subscriber)
        }
        agent.beginObserving(as: subscriber) { _ in }
        await agent.observed()
        agent.delivery.queue.sync {}
        #expect(try agent.journal.database.readAndWait { try Journal.observers($0) } == [agent.presence.identifier])
        agent.close()
    }

    @Test("A cancelled task doesn't wait for the work of other tasks")
    func cancellation() async throws {
        let agent = try device.process(store).agent
        let lock = try JournalLock(agent.folder.journal)
        let begins = Task {
            agent.beginObserving(as: Agent.Subscriber("other")) { _ in }
            await agent.observed()
        }
        let waits = Task { try await agent.allowsPayments() }
        waits.cancel()
        await #expect(throws: CancellationError.self) { try await waits.value }
        try lock.release()
        await begins.value
        #expect(try await agent.allowsPayments())
    }

    @Test("The device's restrictions and root certificates are read off the threads of tasks")
    func files() async throws {
        let agent = try device.process(store).agent
        #expect(try await agent.allowsPayments())
        try DeviceRestrictions(home: device.home).allow(inAppPurchases: false)
        #expect(try await !agent.allowsPayments())

        let apple = try SignedValues.transaction("2000000000000001", of: agent)
        let row = SignedRow(apple, change: 1)
        #expect(agent.verdict(row).failure == nil)
        try FileManager.default.removeItem(at: device.trust)
        #expect(agent.verdict(row).failure == nil)
        await agent.readRoots()
        #expect(agent.verdict(row).failure == .invalidCertificateChain)
    }
}
