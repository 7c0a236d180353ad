// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreAgent
@testable import StoreKit

/// The listeners and waiting purchases of a process.
@Suite(.timeLimit(.hang))
struct TransactionHubTests {
    private let device: JournalDevice
    private let hub = TransactionHub()

    init() throws {
        device = try JournalDevice()
    }

    @Test("A process observes the queue for as long as it has a user, in whichever order others begin and end")
    func counting() async throws {
        let (agent, hub) = (device.agent, hub)
        await hub.begin(agent)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    await hub.begin(agent)
                    hub.end(agent)
                }
            }
        }
        // A last user that begins while the one before ends.
        await withTaskGroup(of: Void.self) { group in
            group.addTask { hub.end(agent) }
            group.addTask { await hub.begin(agent) }
        }
        await agent.observed()
        agent.delivery.queue.sync {}
        #expect(try agent.journal.database.readAndWait { try Journal.observers($0) } == [agent.presence.identifier])
        hub.end(agent)
        await agent.observed()
        agent.delivery.queue.sync {}
        #expect(try agent.journal.database.readAndWait { try Journal.observers($0) } == [])
        device.stop()
    }

    @Test("A purchase of one agent isn't awaited for another one that gives the same identifier")
    func agents() async throws {
        let other = try device.process()
        let asked = Mutex(0)
        hub.await("request", of: device.agent) { _ in
            asked.withLock { $0 += 1 }
            return true
        }
        hub.await("request", of: other, onStorefrontChange: nil)
        hub.leave("request", of: other)
        #expect(hub.isReturned("7", of: "request", device.agent))
        #expect(!hub.isReturned("7", of: "request", other))

        // Another agent's storefront is none of this purchase's.
        for agent in [other, device.agent] {
            await hub.begin(agent)
            for country in ["USA", "DEU"] {
                try await agent.journal.database.write { connection in
                    try JournalState.update(connection) {
                        $0.storefront = StorefrontInfo(countryCode: country, identifier: country)
                    }
                }
                agent.delivery.look()
                agent.delivery.queue.sync {}
            }
            #expect(asked.withLock { $0 > 0 } == (agent === device.agent))
        }
        for agent in [device.agent, other] { hub.end(agent) }
        other.close()
        device.stop()
    }

    @Test("The change that all listeners have processed is one of their own agent")
    func processed() async throws {
        let other = try device.process()
        let listeners = (0..<3).map { _ in TransactionHub() }
        let names = listeners.map { ObjectIdentifier($0) }
        #expect(hub.processed(3, of: other, by: names[0]) == 3)
        #expect(hub.processed(9, of: device.agent, by: names[1]) == 9)
        #expect(hub.processed(7, of: device.agent, by: names[2]) == 7)
        hub.remove(names[2])
        #expect(hub.processed(9, of: device.agent, by: names[1]) == 9)
        withExtendedLifetime(listeners) {}
        other.close()
        device.stop()
    }
}
