// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAgent
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A phone and a store that commit 4e37f59 has written, both opened by this
/// version.
@Suite(.timeLimit(.hang))
struct OldFilesTests {
    private let folder: TemporaryFolder
    private let home: URL
    private let trust: URL

    init() throws {
        folder = try TemporaryFolder()
        home = folder.url.appendingPathComponent("home", isDirectory: true)
        trust = folder.url.appendingPathComponent("root.cer")
        try OldFiles.makeHome(at: home)
        try TestStore.authority.get().rootCertificate.write(to: trust)
    }

    private func agent(of store: TestStore) throws -> Agent {
        try Agent(
            AgentConfiguration(
                storeURL: URL(string: "http://store.example"), bundleIdentifier: OldFiles.bundleIdentifier, home: home,
                trust: trust),
            connection: LocalStoreConnection(store.service),
            presenter: CustomerPresenter(store: store, customer: { _, _ in }),
            clock: AgentClock(
                now: { [clock = store.clock] in clock.now.milliseconds }, sleep: { try await Task.sleep(for: $0) }),
            random: AgentRandom(SystemRandomNumberGenerator()), logger: .silent)
    }

    @Test("The phone sends its finish, and receives the purchase that waited for a parent, and no other")
    func completed() async throws {
        let store = try await OldFiles.openStore(in: folder)
        let agent = try agent(of: store)
        let app = TestApp(agent)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { do { try await agent.run() } catch is CancellationError {} }
            while try await store.count("queue_entry") > 0 { try await letOthersRun() }

            try await store.service.approve(try await store.onlyUndecided())

            let bought = try await app.next(.purchased)
            #expect(bought.payment.productIdentifier == "\(OldFiles.bundleIdentifier).Orange")
            group.cancelAll()
        }
        agent.close()

        let receipt = try UnverifiedAppReceipt(parsing: Data(contentsOf: agent.receiptURL))
        let products = receipt.contents.inAppPurchases.map { $0.productIdentifier.split(separator: ".").last }
        #expect(products.compactMap(\.self).sorted() == ["Apple", "Orange", "Pear", "Pear"])
        #expect(try await store.ledger() == [2990, 990, 990, 290, 290, 0, -990])
    }
}
