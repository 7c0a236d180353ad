// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreTestSupport
import Testing

@testable import StoreAgent

/// The form for a refund that an app shows, and the other pages of the account.
@Suite(.timeLimit(.hang))
struct RefundFormTests {
    private let device: Device
    private let store = ScriptedStore(ScriptedStore.Script(position: .at(5)))
    private let presenter = RecordingPresenter()
    private static let page = "http://store.example/account/purchases/2000000000000001/problem"
    private static let number = "2000000000000001"

    init() throws {
        device = try Device()
    }

    private func answer(_ refund: RefundInfo?, page: String? = RefundFormTests.page) {
        store.script.change { $0.accountPage = { _ in AccountPageCall.Answer(page: page, refund: refund) } }
    }

    @Test("A form in a browser is sent when the store has another request than before")
    func sent() async throws {
        answer(RefundInfo(request: "earlier"))
        let process = try device.process(store, presenter: presenter)
        try await process.running {
            await store.streams.until { !$0.isEmpty }
            let asked = Task { try await process.agent.requestRefund(of: Self.number) }
            await presenter.sheets.until { $0.count == 1 }
            // Once before the form is shown, and once after it.
            await store.accountPages.until { $0.count == 2 }
            answer(RefundInfo(request: "new", waits: true))
            await store.tell(.position(.at(6)))
            let outcome = try await asked.value
            #expect(outcome == .requested)
            #expect(presenter.sheets.value.map(\.absoluteString) == [Self.page])
        }
    }

    @Test("A form that isn't sent for ten minutes is cancelled, and asks the store after an event only")
    func late() async throws {
        answer(RefundInfo())
        let process = try device.process(store, presenter: presenter)
        try await process.running {
            await store.streams.until { !$0.isEmpty }
            let asked = Task { try await process.agent.requestRefund(of: Self.number) }
            await store.accountPages.until { $0.count == 2 }
            let outcome = try await device.clock.moving { try await asked.value }
            #expect(outcome == .cancelled)
            #expect(store.accountPages.value.count <= 3)
        }
    }

    @Test("A program that waits for the customer knows the end", arguments: [true, false])
    func program(isSent: Bool) async throws {
        answer(RefundInfo())
        let store = store
        let waiting = WaitingPresenter {
            guard isSent else { return }
            store.script.change { script in
                script.accountPage = { _ in
                    AccountPageCall.Answer(page: Self.page, refund: RefundInfo(request: "new", waits: true))
                }
            }
        }
        let agent = try device.process(store, presenter: waiting).agent
        #expect(try await agent.requestRefund(of: Self.number) == (isSent ? .requested : .cancelled))
    }

    @Test("A request that waits, a free purchase and one of another customer show no form")
    func refused() async throws {
        let agent = try device.process(store, presenter: presenter).agent
        answer(RefundInfo(request: "earlier", waits: true))
        #expect(try await agent.requestRefund(of: Self.number) == .duplicate)
        answer(RefundInfo(isEligible: false))
        #expect(try await agent.requestRefund(of: Self.number) == .ineligible)
        answer(nil, page: nil)
        #expect(try await agent.requestRefund(of: Self.number) == .failed)
        #expect(presenter.sheets.value.isEmpty)
    }

    @Test("The pages of the account are shown, and an older store has none")
    func pages() async throws {
        let agent = try device.process(store, presenter: presenter).agent
        #expect(try await !agent.show(.subscriptions))
        answer(nil, page: "http://store.example/account/subscriptions")
        #expect(try await agent.show(.subscriptions))
        #expect(presenter.sheets.value.count == 1)
        #expect(store.accountPages.value.map(\.kind) == [.subscriptions, .subscriptions])
        answer(nil, page: "file:///etc/passwd")
        await #expect(throws: AgentError.self) { try await agent.show(.payment) }
    }

    @Test("A task that is cancelled leaves the form open")
    func cancelled() async throws {
        answer(RefundInfo())
        let process = try device.process(store, presenter: presenter)
        try await process.running {
            await store.streams.until { !$0.isEmpty }
            let asked = Task { try await process.agent.requestRefund(of: Self.number) }
            await store.accountPages.until { $0.count == 2 }
            asked.cancel()
            await #expect(throws: CancellationError.self) { try await asked.value }
        }
    }
}

/// A program that returns when the customer is done.
private struct WaitingPresenter: SheetPresenter {
    let act: @Sendable () -> Void
    var waitsForCustomer: Bool { true }

    func present(_ sheet: URL) async throws { act() }
}
