// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

/// App requests whose caller doesn't wait any more. The device is signed out,
/// so that the agent fetches no receipt of its own.
@Suite(.timeLimit(.hang))
struct AppRequestTests {
    private let device: Device
    private let store = ScriptedStore()
    /// The identifiers of the refreshes that the store has received.
    private let refreshes = Watched<[String]>([])
    private let presenter = RecordingPresenter()

    private static let unavailable = StoreFailure(.unavailable, "Not now.")
    private static let sheet = "http://store.example/sheet/9"

    init() throws {
        device = try Device()
    }

    private func answerRefreshes(
        _ answer: @escaping @Sendable (ReceiptCall) async throws -> ReceiptCall.Answer
    ) {
        store.script.change { [refreshes] script in
            script.receipt = { call in
                refreshes.change { $0.append(call.requestIdentifier) }
                return try await answer(call)
            }
        }
    }

    /// Waits until the journal has no app request: a cancelled one is deleted
    /// on the delivery's queue.
    private func waitUntilDeleted(_ process: AppProcess) async throws {
        while try await !process.agent.journal.database.read({ try AppRequest.load($0).isEmpty }) {
            try await letOthersRun()
        }
    }

    /// Makes a refresh that ends, after all earlier work had time to run.
    private func refreshAndFail(_ process: AppProcess) async {
        answerRefreshes { _ in ReceiptCall.Answer(failure: PurchaseFailure(.paymentCancelled, "Cancelled.")) }
        await #expect(throws: PurchaseFailure(.paymentCancelled, "Cancelled.")) {
            try await process.agent.refreshReceipt()
        }
    }

    @Test("A refresh that is cancelled during a pause isn't sent again")
    func cancelledDuringPause() async throws {
        answerRefreshes { _ in throw Self.unavailable }
        let process = try device.process(store, presenter: presenter)
        try await process.running {
            let refresh = Task { try await process.agent.refreshReceipt() }
            await device.clock.naps.until { $0 == 1 }
            refresh.cancel()
            await #expect(throws: CancellationError.self) { try await refresh.value }
            try await waitUntilDeleted(process)

            answerRefreshes { _ in ReceiptCall.Answer(sheet: Self.sheet) }
            device.clock.advance(seconds: 30)
            await refreshAndFail(process)
        }
        #expect(Set(refreshes.value).count == 2)
        #expect(refreshes.value.count == 2)
        #expect(presenter.sheets.value.isEmpty)
    }

    @Test("A refresh of a process that ended during a pause isn't sent again")
    func processEndedDuringPause() async throws {
        answerRefreshes { _ in throw Self.unavailable }
        let synchronizer = try device.process(store, presenter: presenter)
        let asker = try device.process(store)
        try await synchronizer.running {
            await store.streams.until { !$0.isEmpty }
            let refresh = Task { try await asker.agent.refreshReceipt() }
            await device.clock.naps.until { $0 == 1 }
            // As when the process is killed: the journal keeps its request.
            asker.agent.presence.leave()

            answerRefreshes { _ in ReceiptCall.Answer(sheet: Self.sheet) }
            device.clock.advance(seconds: 30)
            await refreshAndFail(synchronizer)
            refresh.cancel()
            _ = await refresh.result
        }
        #expect(refreshes.value.count == 2)
        #expect(presenter.sheets.value.isEmpty)
    }

    @Test("The sheet of a refresh that is cancelled while it is sent isn't shown")
    func cancelledWhileSent() async throws {
        let isAnswered = Watched(false)
        answerRefreshes { _ in
            await isAnswered.until { $0 }
            return ReceiptCall.Answer(sheet: Self.sheet)
        }
        let process = try device.process(store, presenter: presenter)
        try await process.running {
            let refresh = Task { try await process.agent.refreshReceipt() }
            await refreshes.until { $0.count == 1 }
            refresh.cancel()
            _ = await refresh.result
            try await waitUntilDeleted(process)

            isAnswered.change { $0 = true }
            await refreshAndFail(process)
        }
        #expect(presenter.sheets.value.isEmpty)
    }
}
