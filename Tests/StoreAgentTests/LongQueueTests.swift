// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreAgent

/// Queues that are longer than one batch of deliveries.
@Suite(.timeLimit(.hang))
struct LongQueueTests {
    private let count = Delivery.batch * 2 + 7
    private let device: Device
    private let store: ScriptedStore

    init() throws {
        device = try Device()
        var script = ScriptedStore.Script()
        script.position = .at(5)
        script.queue = (0..<count).map { .apple(String(2_000_000_000_000_000 + $0)) }
        store = ScriptedStore(script)
    }

    @Test("Everything unfinished is delivered once, oldest first, at each launch")
    func launches() async throws {
        let first = try device.process(store)
        first.observe()
        try await first.running { await first.updates.until { $0.transactions(in: .purchased).count >= self.count } }
        first.agent.close()

        store.script.change { $0.outage = .notSent }
        let second = try device.process(store)
        second.observe()
        let told = await second.updates.until { $0.transactions(in: .purchased).count >= self.count }

        let numbers = told.transactions(in: .purchased).compactMap(\.transactionIdentifier)
        #expect(numbers == store.script.value.queue.map(\.transactionIdentifier))
        #expect(told.count == 3)
        #expect(try second.agent.transactions.count == count)
        second.agent.close()
    }

    @Test("Each finished transaction leaves the queue, and isn't delivered at the next launch")
    func finishes() async throws {
        let first = try device.process(store)
        first.observe()
        try await first.running {
            let told = await first.updates.until { $0.transactions(in: .purchased).count >= self.count }
            for transaction in told.transactions(in: .purchased).dropLast() {
                try first.agent.finish(transaction.id)
            }
            await first.updates.until { $0.removed.count >= self.count - 1 }
        }
        first.agent.close()

        let second = try device.process(store)
        second.observe()
        await second.updates.until { !$0.transactions(in: .purchased).isEmpty }
        #expect(try second.agent.transactions.count == 1)
        second.agent.close()
    }

    @Test("When a process leaves, the next one delivers all of its transactions")
    func handedOver() async throws {
        let first = try device.process(store)
        first.observe()
        let second = try device.process(store)
        try await first.running {
            await first.updates.until { $0.transactions(in: .purchased).count >= self.count }
            second.observe()
            first.agent.stopObserving()
            await second.updates.until { $0.transactions(in: .purchased).count >= self.count }
        }
        second.agent.close()
        first.agent.close()
    }
}
