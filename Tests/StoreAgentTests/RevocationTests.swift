// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreAgent

/// The delivery of products that the customer has lost by a refund.
@Suite(.timeLimit(.hang))
struct RevocationTests {
    private let device: Device
    private let store = ScriptedStore(ScriptedStore.Script(position: .at(5)))
    private let update = AgentUpdate.revoked([.apple(6)])

    init() throws {
        device = try Device()
    }

    /// Refunds the apple.
    private func refund() async {
        await store.streams.until { !$0.isEmpty }
        store.script.change { $0.position = .at(6) }
        await store.tell(.revoked(.apple, .at(6)))
    }

    /// Waits until the process has delivered all earlier news: it delivers a
    /// payment before the other news of a round, and a second one after them.
    private func finishRound(_ process: AppProcess) async throws {
        for _ in 1...2 {
            let known = process.updates.value.transactions(in: .purchasing).count
            try process.agent.add(.apple)
            await process.told(.purchasing, times: known + 1)
        }
    }

    @Test("A revocation is delivered at each launch until the app has acknowledged it")
    func deliveredUntilAcknowledged() async throws {
        let first = try device.process(store)
        first.observe()
        try await first.running {
            await refund()
            await first.updates.until { $0.contains(update) }
        }
        first.agent.close()

        let second = try device.process(store)
        second.observe()
        await second.updates.until { $0 == [update] }
        second.agent.acknowledge([.apple(6)])
        second.agent.close()

        let third = try device.process(store)
        third.observe()
        try await finishRound(third)
        #expect(!third.updates.value.contains(update))
    }

    @Test("An unacknowledged revocation is delivered once to an observer, and again to the next one")
    func deliveredAgainToTheNextObserver() async throws {
        let process = try device.process(store)
        process.observe()
        try await process.running {
            await refund()
            await process.updates.until { $0.contains(update) }
            try await finishRound(process)
            #expect(process.updates.value.filter { $0 == update }.count == 1)

            process.agent.stopObserving()
            process.observe()
            await process.updates.until { $0.filter { $0 == update }.count == 2 }
        }
    }

    @Test("A second refund of a product is delivered although the first one is acknowledged later")
    func secondRefund() async throws {
        let process = try device.process(store)
        process.observe()
        try await process.running {
            await refund()
            await process.updates.until { $0.contains(update) }
            store.script.change { $0.position = .at(8) }
            await store.tell(.revoked(.apple, .at(8)))
            await process.updates.until { $0.contains(.revoked([.apple(8)])) }
            process.agent.acknowledge([.apple(6)])
        }
        process.agent.close()

        let next = try device.process(store)
        next.observe()
        await next.updates.until { $0 == [.revoked([.apple(8)])] }
    }

    @Test("The revocation of a product that the customer has again isn't delivered any more")
    func reinstated() async throws {
        let first = try device.process(store)
        first.observe()
        try await first.running {
            await refund()
            await first.updates.until { $0.contains(update) }
            store.script.change { $0.position = .at(7) }
            await store.tell(.position(.at(7), receiptChanged: true, reinstated: .apple))
            while try await first.agent.journal.state().receipt != .at(7) { try await letOthersRun() }
        }
        first.agent.close()

        let second = try device.process(store)
        second.observe()
        try await finishRound(second)
        #expect(!second.updates.value.contains(update))
    }

    @Test("One of two observing processes delivers a revocation")
    func oneOfTwoProcesses() async throws {
        let processes = [try device.process(store), try device.process(store)]
        processes.forEach { $0.observe() }
        try await processes[0].running {
            await refund()
            while !processes.contains(where: { $0.updates.value.contains(update) }) { try await letOthersRun() }
            for process in processes { try await finishRound(process) }
        }
        #expect(processes.filter { $0.updates.value.contains(update) }.count == 1)
    }

    @Test("A subscriber without a handler keeps a limited number of removals for the next one")
    func limitOfRemovals() {
        let recipient = UpdateRecipient(.paymentQueue)
        for number in 1...1_000 {
            recipient.know(AgentTransaction(id: "\(number)", state: .purchased, payment: .apple, date: 0))
        }
        let updates = Watched<[AgentUpdate]>([])
        recipient.begin { received in updates.change { $0 += received } }
        recipient.deliver(
            [], of: Journal.Changes(entries: [], isWhole: true, seen: Journal.Seen(), present: []), process: "process",
            faults: FaultPoints(handler: { _ in }), isFinished: { _ in false })

        #expect(updates.value.removed.count == 200)
    }
}
