// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreKit

/// The start of the agent by an asynchronous function.
@Suite(.timeLimit(.hang))
struct AsynchronousStartTests {
    private let folder: TemporaryFolder
    private let host = AgentHost()

    init() throws {
        folder = try TemporaryFolder()
        var configuration = StoreKitConfiguration()
        configuration.home = folder.url.appendingPathComponent("home")
        configuration.bundleIdentifier = "com.example.fruit"
        #expect(host.use(configuration))
    }

    /// The journal of the app, after a first start has made it.
    private func journal() async throws -> URL {
        let home = try host.agent().configuration.home
        await host.stop()
        let files = FileManager.default.enumerator(at: home, includingPropertiesForKeys: nil)
        return try #require((files?.allObjects as? [URL])?.first { $0.pathExtension == "sqlite" })
    }

    @Test("A start that waits for the journal lets other tasks of the same thread run, and all callers get one agent")
    func start() async throws {
        let journal = try await journal()
        var agents: [ObjectIdentifier] = []
        // A start fails that waits for the lock for five seconds, as it may on a busy machine.
        while agents.count < 3 {
            await host.stop()
            agents = []
            let lock = try JournalLock(journal)
            let thread = OneThread()
            let starts = (0..<3).map { _ in
                Task(executorPreference: thread) { try await host.perform { ObjectIdentifier($0) } }
            }
            let other = Task(executorPreference: thread) { 7 }
            #expect(await other.value == 7)
            try lock.release()
            for start in starts {
                do {
                    agents.append(try await start.value)
                } catch let error as DatabaseError where error.code == .busy {}
            }
        }
        #expect(Set(agents).count == 1)
        #expect(try host.uses(host.agent()))
        await host.stop()
    }

    @Test("A start that fails is thrown, and the next use starts again")
    func failure() async throws {
        let host = AgentHost()
        var wrong = StoreKitConfiguration()
        wrong.home = folder.url.appendingPathComponent("other")
        wrong.sheet = "carrier pigeon"
        #expect(host.use(wrong))
        await #expect(throws: AgentError.self) { try await host.perform { $0.deviceIdentifier } }
        wrong.sheet = nil
        #expect(host.use(wrong))
        #expect(try await host.perform { $0.deviceIdentifier }.count == 16)
        await host.stop()
    }
}
