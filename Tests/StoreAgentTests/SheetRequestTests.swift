// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

/// The sheets that an app asks for, and whose outcome arrives as events: the
/// redemption of a code, and the consent to a price increase.
@Suite(.timeLimit(.hang))
struct SheetRequestTests {
    private let device: Device
    private let store = ScriptedStore()
    private let presenter = RecordingPresenter()

    private static let sheet = "http://store.example/sheet/7"

    init() throws {
        device = try Device()
    }

    private func answer(_ answer: SheetAnswer) {
        store.script.change { script in
            script.redemption = { _ in answer }
            script.priceConsent = { _ in answer }
        }
    }

    private func requests(_ process: AppProcess) async throws -> [AppRequest] {
        try await process.agent.journal.database.read { try AppRequest.load($0) }
    }

    /// Waits until the journal has no app request.
    private func waitUntilDeleted(_ process: AppProcess) async throws {
        while try await !requests(process).isEmpty { try await letOthersRun() }
    }

    /// Ends the newest redemption, as a customer does on its page.
    private func endRedemption(with end: SheetAnswer, _ process: AppProcess) async throws {
        answer(end)
        let asked = store.redemptions.value.last?.requestIdentifier ?? ""
        await store.tell(.request(requestIdentifier: asked))
        try await waitUntilDeleted(process)
    }

    @Test("A second call shows no second redemption sheet while the first one is open")
    func oneAtATime() async throws {
        answer(SheetAnswer(sheet: Self.sheet))
        let process = try device.process(store, presenter: presenter)
        try await process.running {
            try process.agent.presentCodeRedemption()
            await presenter.sheets.until { $0.count == 1 }
            try process.agent.presentCodeRedemption()
            #expect(try await requests(process).count == 1)

            try await endRedemption(with: SheetAnswer(), process)
            answer(SheetAnswer(sheet: Self.sheet))
            try process.agent.presentCodeRedemption()
            await presenter.sheets.until { $0.count == 2 }
        }
        #expect(Set(store.redemptions.value.map(\.requestIdentifier)).count == 2)
    }

    @Test("A redemption that the customer cancels leaves nothing in the queue")
    func cancelled() async throws {
        answer(SheetAnswer(sheet: Self.sheet))
        let process = try device.process(store, presenter: presenter)
        process.observe()
        try await process.running {
            try process.agent.presentCodeRedemption()
            await presenter.sheets.until { $0.count == 1 }
            try await endRedemption(
                with: SheetAnswer(failure: PurchaseFailure(.paymentCancelled, "Cancelled.")), process)
        }
        #expect(try process.agent.transactions.isEmpty)
        #expect(process.updates.value.isEmpty)
    }

    @Test("A redemption goes on after its process was killed")
    func survives() async throws {
        answer(SheetAnswer(sheet: Self.sheet))
        let killed = try device.process(store, presenter: presenter)
        try await killed.running {
            try killed.agent.presentCodeRedemption()
            await presenter.sheets.until { $0.count == 1 }
        }
        // As when the process is killed: the journal keeps its request.
        killed.agent.presence.leave()

        let later = RecordingPresenter()
        let next = try device.process(store, presenter: later)
        try await next.running {
            await later.sheets.until { $0.count == 1 }
            try await endRedemption(with: SheetAnswer(), next)
        }
        #expect(Set(store.redemptions.value.map(\.requestIdentifier)).count == 1)
    }

    @Test("The purchase of a redemption is delivered as one that no app has asked for")
    func purchase() async throws {
        answer(SheetAnswer(sheet: Self.sheet))
        store.script.change { $0.position = .at(5) }
        let process = try device.process(store, presenter: presenter)
        process.observe()
        try await process.running {
            try process.agent.presentCodeRedemption()
            await presenter.sheets.until { $0.count == 1 }
            let asked = store.redemptions.value.first?.requestIdentifier
            let bought = TransactionInfo.apple(request: asked)
            store.script.change { script in
                script.position = .at(6)
                script.queue = [bought]
            }
            await store.tell(.transaction(bought, .at(6)))
            let told = await process.told(.purchased)
            #expect(told.transactionIdentifier == bought.transactionIdentifier)
            #expect(try await requests(process).isEmpty)
        }
        #expect(process.updates.value.transactions(in: .purchasing).isEmpty)
    }

    @Test("Without a network a sheet's request ends, and isn't repeated")
    func noNetwork() async throws {
        store.script.change { $0.outage = .notSent }
        let process = try device.process(store, presenter: presenter)
        try await process.running {
            try process.agent.presentCodeRedemption()
            try await waitUntilDeleted(process)
            try process.agent.showPriceConsent()
            try await waitUntilDeleted(process)
        }
        #expect(store.redemptions.value.count == 1)
        #expect(store.priceConsents.value.count == 1)
        #expect(presenter.sheets.value.isEmpty)
    }

    @Test("A consent sheet isn't shown when the store has no price increase")
    func nothingPending() async throws {
        let process = try device.process(store, presenter: presenter)
        try await process.running {
            try process.agent.showPriceConsent()
            try await waitUntilDeleted(process)
        }
        #expect(store.priceConsents.value.count == 1)
        #expect(presenter.sheets.value.isEmpty)
    }

    @Test("A consent request ends with its process, and a redemption doesn't")
    func processEnded() async throws {
        let killed = try device.process(store)
        try killed.agent.showPriceConsent()
        try killed.agent.presentCodeRedemption()
        killed.agent.presence.leave()

        let next = try device.process(store)
        #expect(try await requests(next).map(\.kind) == [.redemption])
    }

    @Test("A price increase is delivered once in a launch, and again in the next one")
    func increase() async throws {
        let first = try device.process(store)
        first.observe()
        try await first.running {
            await store.tell(.priceIncreases(["7/1"]))
            await first.updates.until { $0 == [.priceIncrease] }
            await store.tell(.priceIncreases(["7/1"]))
            await store.tell(.priceIncreases(["7/1", "8/1"]))
            await first.updates.until { $0 == [.priceIncrease, .priceIncrease] }
            await store.tell(.priceIncreases(["8/1"]))
            await store.tell(.priceIncreases(["9/1"]))
            await first.updates.until { $0.count == 3 }
            // A new stream brings them anew.
            let streams = store.streams.value.count
            await store.tell(.accountChanged)
            await store.streams.until { $0.count == streams + 1 }
            await store.tell(.priceIncreases(["9/1"]))
            await store.tell(.priceIncreases(["9/1", "10/1"]))
            await first.updates.until { $0.count == 4 }
        }
        first.agent.close()

        let second = try device.process(store)
        second.observe()
        try await second.running {
            await store.streams.until { $0.count == 3 }
            #expect(second.updates.value.isEmpty)
            await store.tell(.priceIncreases(["9/1"]))
            await second.updates.until { $0 == [.priceIncrease] }
        }
    }
}
