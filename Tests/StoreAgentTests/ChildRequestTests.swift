// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreAgent

/// The page of the family, which a parent's device opens when a child asks to buy.
@Suite(.timeLimit(.hang))
struct ChildRequestTests {
    private let device: Device
    private let store = ScriptedStore(ScriptedStore.Script(position: .at(5)))
    private let presenter = RecordingPresenter()
    private static let page = "http://store.example/account/family"
    private static let first = "2000000000000001"
    private static let second = "2000000000000002"

    init() throws {
        device = try Device()
    }

    private func answer(_ page: String?) {
        store.script.change { $0.accountPage = { _ in AccountPageCall.Answer(page: page) } }
    }

    /// Tells a process of the app of a request, and waits until its journal has the event.
    private func tell(_ request: String, at number: Int64, _ process: AppProcess) async throws {
        let opened = store.streams.value.count
        try await process.running {
            await store.streams.until { $0.count > opened }
            await store.tell(.childRequest(request, .at(number)))
            while try await process.agent.journal.state().position != .at(number) { try await letOthersRun() }
        }
    }

    @Test("A request is shown once on a device, also when the event comes again")
    func once() async throws {
        answer(Self.page)
        for _ in 0..<2 {
            try await tell(Self.first, at: 6, device.process(store, presenter: presenter))
        }
        try await tell(Self.second, at: 7, device.process(store, presenter: presenter))
        await presenter.sheets.until { $0.count == 2 }
        #expect(presenter.sheets.value.map(\.absoluteString) == [Self.page, Self.page])
        let asked = store.accountPages.value
        #expect(asked.allSatisfy { $0.kind == .family })
        #expect(asked.map(\.transactionIdentifier) == [Self.first, Self.first, Self.second])
    }

    @Test("A request that doesn't wait any more isn't shown, and neither is another address than a page's")
    func decided() async throws {
        answer(nil)
        try await tell(Self.first, at: 6, device.process(store, presenter: presenter))
        answer("file:///etc/passwd")
        try await tell(Self.second, at: 7, device.process(store, presenter: presenter))
        #expect(presenter.sheets.value.isEmpty)
    }

    @Test("A request is shown after the store was out of reach")
    func outOfReach() async throws {
        let process = try device.process(store, presenter: presenter)
        store.script.change { $0.accountPage = { _ in throw StoreFailure(.unavailable, "The store is restarting.") } }
        try await process.running {
            await store.streams.until { !$0.isEmpty }
            await store.tell(.childRequest(Self.first, .at(6)))
            await store.accountPages.until { !$0.isEmpty }
            answer(Self.page)
            try await device.clock.moving {
                await store.streams.until { $0.count >= 2 }
                await store.tell(.childRequest(Self.first, .at(6)))
                await presenter.sheets.until { $0.count == 1 }
            }
        }
    }

    @Test("Neither a store that refuses the page nor a home that can't record it holds up the events behind")
    func refused() async throws {
        store.script.change { $0.accountPage = { _ in throw StoreFailure(.notFound, "There is no such page.") } }
        try await tell(Self.first, at: 6, device.process(store, presenter: presenter))
        answer(Self.page)
        try FileManager.default.createDirectory(
            at: device.home.appendingPathComponent("child-requests.json"), withIntermediateDirectories: true)
        try await tell(Self.second, at: 7, device.process(store, presenter: presenter))
        #expect(presenter.sheets.value.isEmpty)
    }

    @Test("A device remembers the newest hundred requests")
    func remembered() throws {
        try FileManager.default.createDirectory(at: device.home, withIntermediateDirectories: true)
        let shown = ShownChildRequests(home: device.home, files: PosixSystem().files)
        for number in 0..<105 {
            #expect(try shown.record("\(number)"))
            #expect(try !shown.record("\(number)"))
        }
        #expect(try !shown.record("5") && shown.record("4"))
        // A file that can't be read has shown nothing.
        try Data("no JSON".utf8).write(to: device.home.appendingPathComponent("child-requests.json"))
        #expect(try shown.record("104"))
    }
}
