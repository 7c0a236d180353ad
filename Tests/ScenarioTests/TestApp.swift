// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreAgent
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A customer's action on every sheet that opens.
typealias Customer = @Sendable (_ store: TestStore, _ sheet: String) async throws -> Void

/// Shows a sheet to the test's customer.
struct CustomerPresenter: SheetPresenter {
    let store: TestStore
    let customer: Customer

    func present(_ sheet: URL) async throws {
        try await customer(store, sheet.lastPathComponent)
    }
}

/// The network of a device, which a test can cut.
final class Wire: StoreConnection {
    private let store: any StoreConnection
    private let isCut = Mutex(false)

    init(_ store: any StoreConnection) {
        self.store = store
    }

    /// Makes messages and new streams fail. Open streams stay open.
    func cut() {
        isCut.withLock { $0 = true }
    }

    func mend() {
        isCut.withLock { $0 = false }
    }

    func send(_ message: StoreMessage) async throws -> Data {
        try check()
        return try await store.send(message)
    }

    func events(_ subscription: EventSubscription) async throws -> AsyncThrowingStream<StoreEvent, any Error> {
        try check()
        return try await store.events(subscription)
    }

    func content(_ request: ContentRequest) async throws -> ContentPart {
        try check()
        return try await store.content(request)
    }

    private func check() throws {
        guard isCut.withLock({ $0 }) else { return }
        throw ConnectionFailure(reach: .notSent, underlying: URLError(.notConnectedToInternet))
    }
}

/// A device of a test: its home, and the root certificate that it trusts.
final class TestPhone: Sendable {
    let store: TestStore
    private let folder: TemporaryFolder
    let clock: AgentClock
    let wire: Wire

    init(_ store: TestStore) throws {
        self.store = store
        wire = Wire(LocalStoreConnection(store.service))
        folder = try TemporaryFolder()
        try TestStore.authority.get().rootCertificate.write(to: URL(fileURLWithPath: folder.path("root.cer")))
        // The agent's dates come from the store's clock. Its pauses before new
        // attempts take real time, because no test moves the clock while the
        // agent reconnects.
        clock = AgentClock(
            now: { [clock = store.clock] in clock.now.milliseconds }, sleep: { try await Task.sleep(for: $0) })
    }

    /// Launches the app, runs a scene in it, and ends the app.
    func launch(
        customer: @escaping Customer = { _, _ in }, scene: @Sendable @escaping (TestApp) async throws -> Void
    ) async throws {
        let agent = try Agent(
            AgentConfiguration(
                storeURL: URL(string: "http://store.example"), bundleIdentifier: TestStore.bundleIdentifier,
                home: URL(fileURLWithPath: folder.path("home")), trust: URL(fileURLWithPath: folder.path("root.cer"))),
            connection: wire,
            presenter: CustomerPresenter(store: store, customer: customer), clock: clock,
            random: AgentRandom(SystemRandomNumberGenerator()),
            logger: .silent)
        let app = TestApp(agent)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                do { try await agent.run() } catch is CancellationError {}
                return false
            }
            group.addTask {
                try await scene(app)
                return true
            }
            // An agent that fails ends the scene, which would wait for it.
            while try await group.next() == false {}
            group.cancelAll()
        }
        agent.close()
    }

    /// Signs an account in on the sheet of a receipt refresh.
    func signIn(_ account: Account) async throws {
        try await launch(customer: { try await $0.service.signIn(onSheet: $1, as: account) }) { app in
            try await app.agent.refreshReceipt()
        }
    }

    var home: URL { URL(fileURLWithPath: folder.path("home")) }

    /// The purchases in the receipt on disk.
    func receiptPurchases() throws -> [InAppPurchase] {
        try UnverifiedAppReceipt(parsing: try Data(contentsOf: receipt)).contents.inAppPurchases
    }

    var receipt: URL {
        URL(fileURLWithPath: folder.path("home/apps/\(TestStore.bundleIdentifier)/StoreKit/sandboxReceipt"))
    }
}

/// An app in a scene, with the updates of its queue in their order.
actor TestApp {
    nonisolated let agent: Agent
    private var updates: AsyncStream<AgentUpdate>.Iterator

    init(_ agent: Agent) {
        self.agent = agent
        let (stream, continuation) = AsyncStream.makeStream(of: AgentUpdate.self)
        updates = stream.makeAsyncIterator()
        agent.observe { for update in $0 { continuation.yield(update) } }
    }

    /// The next update.
    func next() async -> AgentUpdate? {
        var iterator = updates
        let update = await iterator.next(isolation: #isolation)
        updates = iterator
        return update
    }

    /// Skips to the first transaction in a state.
    func next(_ state: AgentTransaction.State) async throws -> AgentTransaction {
        while let update = await next() {
            if case .updated(let transactions) = update, let found = transactions.first(where: { $0.state == state }) {
                return found
            }
        }
        throw CancellationError()
    }

    /// Skips to the next removal.
    func removed() async throws -> [AgentTransaction] {
        while let update = await next() {
            if case .removed(let transactions) = update { return transactions }
        }
        throw CancellationError()
    }

    /// Skips to the next revocation and acknowledges it.
    func revoked() async throws -> [String] {
        while let update = await next() {
            guard case .revoked(let revoked) = update else { continue }
            agent.acknowledge(revoked)
            return revoked.map(\.product)
        }
        throw CancellationError()
    }

    /// Skips to the next change of the storefront.
    func movedTo() async throws -> String {
        while let update = await next() {
            if case .storefrontChanged(let storefront, _) = update { return storefront.countryCode }
        }
        throw CancellationError()
    }

    /// Skips to the end of a restore.
    func restored() async throws -> PurchaseFailure? {
        while let update = await next() {
            if case .restoreFinished = update { return nil }
            if case .restoreFailed(let failure) = update { return failure }
        }
        throw CancellationError()
    }

    nonisolated func buy(_ product: String) throws {
        try agent.add(AgentPayment(productIdentifier: product))
    }
}
