// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite(.timeLimit(.hang))
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

    @Test("One of two processes sends a purchase, and the process that added it gets the updates")
    func purchaseOfTwoProcessesIsSentOnceAndShownToTheOneThatAsked() async throws {
        let synchronizer = try device.process(store)
        let asker = try device.process(store)
        synchronizer.observe()
        asker.observe()
        try await synchronizer.running {
            await store.streams.until { !$0.isEmpty }
            try await asker.running {
                try asker.agent.add(.apple)
                await asker.told(.purchased)
                #expect(try synchronizer.agent.transactions.isEmpty)
            }
        }
        #expect(synchronizer.updates.value.isEmpty)
        #expect(store.payments.value.count == 1)
        #expect(store.streams.value.count == 1)
    }

    @Test("The next process delivers and finishes a purchase when the first process has closed")
    func nextProcessTalksAndShowsWhenTheFirstIsGone() async throws {
        let first = try device.process(store)
        let second = try device.process(store)
        first.observe()
        second.observe()
        try await second.running {
            // The second process talks to the store; the first one delivers its own payment.
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

    @Test("Transactions of a killed process are delivered by the next one that talks, without a wake-up")
    func killed() async throws {
        let first = try device.process(store)
        let second = try device.process(store)
        first.observe()
        second.observe()
        try await first.running {
            try first.agent.add(.apple)
            await first.told(.purchased)
        }
        // The system releases the presence of a killed process, which wakes no other one.
        first.agent.presence.leave()

        try await second.running {
            await second.told(.purchased)
        }
    }

    @Test("A process that starts wakes the others: one that has died may not have woken them after a write")
    func beginning() async throws {
        let first = try device.process(store)
        let folder = AgentFolder(home: device.home, bundleIdentifier: Device.bundle)
        let woken = Watched(0)
        let watcher = try PosixSystem().enter("watcher", in: folder.processes, woken: { woken.change { $0 += 1 } })
        defer { watcher.leave() }

        let second = try device.process(store)
        await woken.until { $0 > 0 }
        withExtendedLifetime((first, second)) {}
    }

    @Test("A process that can't have the synchronizer's lock now has it later")
    func lockLater() async throws {
        let process = try device.process(store)
        let lock = AgentFolder(home: device.home, bundleIdentifier: Device.bundle).synchronizerLock
        try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: false)
        try await process.running {
            try process.agent.add(.apple)
            await device.clock.naps.until { $0 == 1 }
            try FileManager.default.removeItem(at: lock)
            device.clock.advance(seconds: 30)
            await store.payments.until { $0.count == 1 }
        }
    }

    @Test("A waiting process talks to the store when the first process stops")
    func waitingProcessTalksWhenTheStoreSynchronizerEnds() async throws {
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

    @Test("A process that stops observing leaves its transactions to the other process")
    func processThatStopsObservingLeavesWhatItShowsToOthers() async throws {
        let first = try device.process(store)
        let second = try device.process(store)
        first.observe()
        second.observe()
        let shown = try await first.running {
            try first.agent.add(.apple)
            return await first.told(.purchased)
        }
        #expect(second.updates.value.isEmpty)

        first.agent.stopObserving()
        #expect(await second.told(.purchased) == shown)

        second.agent.stopObserving()
        first.observe()
        #expect(await first.told(.purchased, times: 2) == shown)
        #expect(first.updates.value.removed.isEmpty)
    }

    @Test("A process takes no transaction of another process that observes and lives")
    func processTakesNothingOfOneThatHasBegunToObserveMeanwhile() throws {
        let first = try device.process(store)
        let second = try device.process(store)
        let added = try first.agent.add(.apple)
        let journal = second.agent.journal
        let name = second.agent.presence.identifier
        #expect(try journal.take([added.id], for: name, dead: []).isEmpty)
        try journal.observe(name)
        try journal.observe(first.agent.presence.identifier)

        #expect(try journal.take([added.id], for: name, dead: []).isEmpty)
        let taken = try journal.take([added.id], for: name, dead: [first.agent.presence.identifier])
        #expect(taken.map(\.holder) == [name])
    }

    @Test("Waking a process that has ended raises no SIGPIPE") func wakingAProcessThatDiesMeanwhileRaisesNoSignal() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        var before = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &before)

        #expect(Posix.poke(ends[1]) == EPIPE)

        var pending = sigset_t()
        var after = sigset_t()
        sigpending(&pending)
        pthread_sigmask(SIG_SETMASK, nil, &after)
        #expect(sigismember(&pending, SIGPIPE) == 0)
        #expect(sigismember(&after, SIGPIPE) == sigismember(&before, SIGPIPE))
    }

    @Test("A process that has closed isn't alive to the others") func processThatIsGoneIsDeadToOthers() throws {
        let first = try device.process(store)
        let second = try device.process(store)
        let name = first.agent.presence.identifier

        #expect(second.agent.presence.isAlive(name))
        first.agent.close()
        #expect(!second.agent.presence.isAlive(name))
    }
}
