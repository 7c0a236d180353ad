// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

/// A journal that a newer version migrates beside a running program of this
/// one.
@Suite("A journal of a newer version", .timeLimit(.hang))
struct NewerJournalTests {
    private let device: Device
    private let store = ScriptedStore(ScriptedStore.Script(position: .at(5)))
    private var files: AgentFolder { AgentFolder(home: device.home, bundleIdentifier: Device.bundle) }
    private var isFree: Bool { get throws { try FileLock.acquireIfFree(files.synchronizerLock) != nil } }

    init() throws {
        device = try Device()
    }

    /// Migrates the journal as an app of the next version does, which dies
    /// before it wakes another process.
    @Sendable private func migrate() throws {
        let next = Migration("agent-next", ["ALTER TABLE entry ADD COLUMN colour TEXT"])
        try Migrator(JournalSchema.migrations + [next]).migrate(try SQLiteDatabase(.file(files.journal.path)))
    }

    /// Runs an app until it lets the journal go, after the body.
    private func letsGo(_ app: AppProcess, after body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await app.agent.run() }
            try await body()
            let failure = await #expect(throws: AgentError.self) { try await group.next() }
            #expect(failure?.code == .journalVersion && failure?.message.contains("newer version") == true)
        }
        #expect(try isFree)
    }

    @Test("The synchronizer releases the lock in its next round")
    func round() async throws {
        let app = try device.process(store)
        try await letsGo(app) {
            await store.streams.until { !$0.isEmpty }
            #expect(try !isFree)
            try migrate()
            app.agent.synchronizer.signals.wake()
        }
    }

    @Test("An event that arrives isn't written, and the synchronizer releases the lock")
    func event() async throws {
        let app = try device.process(store)
        let journal = app.agent.journal
        try await letsGo(app) {
            await store.tell(.transaction(.apple("2000000000000001"), .at(6)))
            try await until { try await journal.entry("2000000000000001") != nil }
            try migrate()
            await store.tell(.transaction(.apple("2000000000000002"), .at(7)))
        }
        #expect(try await journal.entry("2000000000000002") == nil)
    }

    @Test("A process that has waited for the lock sends nothing")
    func afterTheLock() async throws {
        let app = try device.process(store)
        try migrate()
        try await letsGo(app) {}
        #expect(store.streams.value.isEmpty && store.signedTransactions.value.isEmpty)
    }

    @Test("A daemon lets the app go with the version error, and refuses it from then on")
    func daemon() async throws {
        let folder = DaemonFolder(home: device.home)
        let door = SocketDoor(folder: folder, clock: device.clock.clock)
        let app = DaemonApp(AgentConfiguration(storeURL: nil, bundleIdentifier: Device.bundle, home: device.home))
        try await device.daemon().running {
            guard case .accepted(let link) = await door.ask(app) else {
                Issue.record("The app isn't accepted.")
                return
            }
            try await until { try !isFree }
            try migrate()
            WakePipePresence.wakeAll(in: files.processes)

            // The connection ends after the daemon has released the lock.
            await link.follow { _ in }
            #expect(try isFree)
            #expect(try await door.status()?.apps.first?.failure?.contains("newer version") == true)
            #expect(DaemonRegistration.loadAll(folder, PosixFiles()).isEmpty)
            guard case .refused(let refusal) = await door.ask(app) else {
                Issue.record("The app isn't refused.")
                return
            }
            #expect(refusal.code == .version && refusal.message.contains("newer version"))
        }
    }
}
