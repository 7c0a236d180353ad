// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import Testing

@testable import StoreAgent

@Suite(.timeLimit(.minutes(1)))
struct ProcessesTests {
    private let device: Device
    private let store: ScriptedStore

    init() throws {
        device = try Device()
        store = ScriptedStore(ScriptedStore.Script(position: .at(5)))
        store.script.change { script in
            script.pay = { call in
                PaymentCall.Answer(
                    status: .purchased, transaction: .apple(request: call.requestIdentifier), position: .at(5))
            }
        }
    }

    @Test func purchaseOfTwoProcessesIsSentOnceAndShownToTheOneThatAsked() async throws {
        let talker = try device.process(store)
        let asker = try device.process(store)
        talker.observe()
        asker.observe()
        try await talker.running {
            await store.streams.until { !$0.isEmpty }
            try await asker.running {
                try asker.agent.add(.apple)
                await asker.told(.purchased)
                #expect(try talker.agent.transactions.isEmpty)
            }
        }
        #expect(talker.updates.value.isEmpty)
        #expect(store.payments.value.count == 1)
        #expect(store.streams.value.count == 1)
    }

    @Test func nextProcessTalksAndShowsWhenTheFirstIsGone() async throws {
        let first = try device.process(store)
        let second = try device.process(store)
        first.observe()
        second.observe()
        try await second.running {
            // The second may talk first: whoever does, the first shows.
            try first.agent.add(.apple)
            await first.told(.purchased)
        }
        #expect(second.updates.value.isEmpty)
        first.agent.close()

        let shown = await second.told(.purchased)
        try second.agent.finish(shown.id)
        try await second.running {
            await store.finishes.until { $0.count == 1 }
        }
    }

    @Test func waitingProcessTalksWhenTheTalkerEnds() async throws {
        let first = try device.process(store)
        let second = try device.process(store)
        let mayEnd = Watched(false)
        second.observe()
        async let talking: Void = first.running { _ = await mayEnd.until { $0 } }
        await store.streams.until { $0.count == 1 }
        try await second.running {
            mayEnd.change { $0 = true }
            await store.streams.until { $0.count == 2 }
            try second.agent.add(.apple)
            await second.told(.purchased)
        }
        try await talking
    }

    @Test func processThatIsGoneIsDeadToOthers() throws {
        let first = try device.process(store)
        let second = try device.process(store)
        let name = first.agent.presence.identifier

        #expect(second.agent.presence.isAlive(name))
        first.agent.close()
        #expect(!second.agent.presence.isAlive(name))
    }
}
