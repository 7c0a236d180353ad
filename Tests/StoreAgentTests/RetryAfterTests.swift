// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite(.timeLimit(.hang))
struct RetryAfterTests {
    private let device: Device
    private let store = ScriptedStore(ScriptedStore.Script(position: .at(5)))

    private static let busy = StoreFailure(.unavailable, "Too much to do.", retryAfter: 60)
    private static let asked: ClosedRange<Int64> = 60_000...90_000

    init() throws {
        device = try Device()
    }

    private func backoff(seed: UInt64 = 1) -> Backoff { Backoff(AgentRandom(SeededGenerator(seed: seed))) }

    @Test("A pause that the store asks for is at most half longer, and differs between devices")
    func askedPauses() {
        let pauses = (1...50).map { (seed: UInt64) in
            var backoff = backoff(seed: seed)
            backoff.heed(Self.busy)
            return backoff.next().milliseconds
        }

        #expect(pauses.allSatisfy(Self.asked.contains))
        #expect(Set(pauses).count > 10)
    }

    @Test("The store's wish counts for one pause, and the device's own pauses grow meanwhile")
    func onePause() {
        var backoff = backoff()
        backoff.heed(Self.busy)
        #expect(backoff.isAsked)
        _ = backoff.next()
        #expect(!backoff.isAsked)

        let own = (0..<10).map { _ in backoff.next().milliseconds }

        #expect((500...1_000).contains(own[0]))
        #expect(own.allSatisfy { $0 <= 30_000 })
        #expect(own.last.map { $0 >= 15_000 } == true)
    }

    @Test("A short wish doesn't shorten a long pause, and a very long one is cut")
    func limitsOfWishes() {
        var patient = backoff()
        for _ in 0..<10 { _ = patient.next() }
        patient.heed(StoreFailure(.unavailable, "", retryAfter: 1))
        #expect(patient.next() >= .seconds(15))

        var asked = backoff()
        asked.heed(StoreFailure(.unavailable, "", retryAfter: 86_400))
        #expect((120_000...180_000).contains(asked.next().milliseconds))
    }

    @Test("A proxy's number that is too large counts as the largest one, and other texts ask for no pause")
    func headers() {
        let texts = ["0", "60", "86400", "86401", "99999999999999999999", "", "-1", "+5", "1.5", "٣", "soon"]

        #expect(
            texts.map(RetryAfter.seconds(inHeader:))
                == [0, 60, 86_400, 86_400, 86_400, nil, nil, nil, nil, nil, nil])
    }

    @Test("Other errors ask for no pause")
    func otherErrors() {
        var backoff = backoff()
        backoff.heed(StoreFailure(.unavailable, ""))
        backoff.heed(StoreFailure(.unavailable, "", retryAfter: 0))
        backoff.heed(ConnectionFailure(reach: .notSent, underlying: ScriptedStore.Outage()))

        #expect(!backoff.isAsked)
        #expect(backoff.next() <= .milliseconds(500))
    }

    @Test("A payment, a finish and a restore are repeated no earlier than the store asks for")
    func work() async throws {
        store.script.change { $0.queue = [.apple()] }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let transaction = await process.told(.purchased)
            store.script.change { $0.refusal = Self.busy }
            try process.agent.finish(transaction.id)
            await device.clock.pauses.until { $0.count == 1 }
            try process.agent.add(.apple)
            await device.clock.pauses.until { $0.count == 2 }
            try process.agent.restoreCompletedTransactions()
            let pauses = await device.clock.pauses.until { $0.count == 3 }
            #expect(pauses.allSatisfy(Self.asked.contains))
            #expect(store.finishes.value.count == 1)
            #expect(store.payments.value.count == 1)
            #expect(store.restores.value.count == 1)

            store.script.change { $0.refusal = nil }
            device.clock.advance(seconds: 90)
            await store.finishes.until { $0.count == 2 }
            await store.payments.until { $0.count == 2 }
            await process.updates.until { $0.contains(.restoreFinished) }
        }
        #expect(Set(store.payments.value.map(\.requestIdentifier)).count == 1)
    }

    @Test("A restore whose finishes the store puts off is asked for after the pause")
    func finishBeforeARestore() async throws {
        let mayAnswer = Watched(false)
        store.script.change { script in
            script.queue = [.apple()]
            script.finish = { _ in
                await mayAnswer.until { $0 }
                throw Self.busy
            }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let transaction = await process.told(.purchased)
            try process.agent.finish(transaction.id)
            try process.agent.restoreCompletedTransactions()
            await store.finishes.until { $0.count == 2 }
            mayAnswer.change { $0 = true }
            await device.clock.pauses.until { $0.count == 2 }
            #expect(store.restores.value.isEmpty)

            store.script.change { $0.finish = { _ in FinishCall.Answer() } }
            device.clock.advance(seconds: 90)
            await process.updates.until { $0.contains(.restoreFinished) }
        }
        #expect(store.restores.value.count == 1)
    }

    @Test("A receipt is requested again no earlier than the store asks for")
    func receipts() async throws {
        store.script.change { script in
            script.queue = [.apple()]
            script.receipt = { _ in throw Self.busy }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let pauses = await device.clock.pauses.until { !$0.isEmpty }
            #expect(pauses.allSatisfy(Self.asked.contains))

            store.script.change { $0.receipt = nil }
            device.clock.advance(seconds: 90)
            await process.told(.purchased)
        }
    }

    @Test("An event stream is opened again no earlier than the store asks for")
    func stream() async throws {
        store.script.change { $0.refusal = Self.busy }
        let process = try device.process(store)
        try await process.running {
            let pauses = await device.clock.pauses.until { !$0.isEmpty }
            #expect(pauses.allSatisfy(Self.asked.contains))

            store.script.change { $0.refusal = nil }
            device.clock.advance(seconds: 90)
            await store.streams.until { $0.count == 1 }
        }
    }
}
