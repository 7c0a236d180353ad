// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Logging
import StoreAPI
import StoreAgent
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// What a customer does with every sheet that opens.
typealias Customer = @Sendable (_ store: TestStore, _ sheet: String) async throws -> Void

/// Shows a sheet to the test's customer.
struct CustomerPresenter: SheetPresenter {
    let store: TestStore
    let customer: Customer

    func present(_ sheet: URL) async throws {
        try await customer(store, sheet.lastPathComponent)
    }
}

/// A device of a test: its home, and the root certificate that it trusts.
final class TestPhone: Sendable {
    let store: TestStore
    private let folder: TemporaryFolder
    let clock: AgentClock

    init(_ store: TestStore) throws {
        self.store = store
        folder = try TemporaryFolder()
        try TestStore.authority.get().rootCertificate.write(to: URL(fileURLWithPath: folder.path("root.cer")))
        // What the agent dates stands still; its pauses before new attempts are
        // real, because nobody here moves a clock while it reconnects.
        clock = AgentClock(
            now: { [clock = store.clock] in clock.now.milliseconds }, sleep: { try await Task.sleep(for: $0) })
    }

    /// Starts the app and plays a scene in it; afterwards the app is gone.
    func launch(
        customer: @escaping Customer = { _, _ in }, scene: @Sendable @escaping (TestApp) async throws -> Void
    ) async throws {
        let agent = try Agent(
            AgentConfiguration(
                storeURL: URL(string: "http://store.example"), bundleIdentifier: TestStore.bundleIdentifier,
                home: URL(fileURLWithPath: folder.path("home")), trust: URL(fileURLWithPath: folder.path("root.cer"))),
            connection: LocalStoreConnection(store.service),
            presenter: CustomerPresenter(store: store, customer: customer), clock: clock,
            random: AgentRandom(SystemRandomNumberGenerator()),
            logger: Logger(label: "app") { _ in SwiftLogNoOpLogHandler() })
        let app = TestApp(agent)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { do { try await agent.run() } catch is CancellationError {} }
            try await scene(app)
            group.cancelAll()
        }
        agent.close()
    }

    var receipt: URL {
        URL(fileURLWithPath: folder.path("home/apps/\(TestStore.bundleIdentifier)/StoreKit/sandboxReceipt"))
    }
}

/// An app as a scene sees it: the updates of its queue, one after the other.
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

    /// Skips to the end of a restore.
    func restored() async throws -> AgentFailure? {
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
