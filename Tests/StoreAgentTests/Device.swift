// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreAgent

/// A device of a test: a home folder with everything that a device stores.
final class Device: Sendable {
    static let bundle = "com.example.fruit"
    private let temporary: TemporaryFolder
    let clock = ManualClock()

    init() throws {
        temporary = try TemporaryFolder()
        try Data(ScriptedStore.authority.rootsPEM.utf8).write(to: trust)
    }

    var folder: URL { temporary.url }
    var home: URL { folder.appendingPathComponent("home", isDirectory: true) }
    var trust: URL { folder.appendingPathComponent("roots.pem") }
    var receipt: URL { AgentFolder(home: home, bundleIdentifier: Self.bundle).receipt(isSandbox: true) }

    func configuration(trusts: Bool = true) -> AgentConfiguration {
        AgentConfiguration(
            storeURL: URL(string: "http://store.example"), bundleIdentifier: Self.bundle, home: home,
            trust: trusts ? trust : nil)
    }

    /// A process of the app.
    func process(
        _ store: ScriptedStore, trusts: Bool = true, presenter: any SheetPresenter = RecordingPresenter(),
        faults: @escaping @Sendable (String) -> Void = { _ in }, system: any AgentSystem = PosixSystem()
    ) throws -> AppProcess {
        AppProcess(
            try Agent(
                configuration(trusts: trusts), connection: store, presenter: presenter, clock: clock.clock,
                random: AgentRandom(SystemRandomNumberGenerator()), faults: faults, system: system,
                logger: .silent))
    }
}

/// An agent, and the updates that its observer has received.
final class AppProcess: Sendable {
    let agent: Agent
    let updates = Watched<[AgentUpdate]>([])

    init(_ agent: Agent) {
        self.agent = agent
    }

    func observe() {
        agent.observe { [updates] told in updates.change { $0 += told } }
    }

    /// Runs the agent while the body runs.
    @discardableResult
    func running<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [agent] in
                do { try await agent.run() } catch is CancellationError {}
            }
            let result = try await body()
            group.cancelAll()
            try await group.waitForAll()
            return result
        }
    }

    /// Waits until a transaction was delivered in a state.
    @discardableResult
    func told(_ state: AgentTransaction.State, times: Int = 1) async -> AgentTransaction {
        let updates = await updates.until { $0.transactions(in: state).count >= times }
        let found = updates.transactions(in: state)
        return found.count >= times
            ? found[times - 1] : AgentTransaction(id: "", state: state, payment: .apple, date: 0)
    }
}

extension [AgentUpdate] {
    func transactions(in state: AgentTransaction.State) -> [AgentTransaction] {
        flatMap { update -> [AgentTransaction] in
            if case .updated(let transactions) = update { transactions.filter { $0.state == state } } else { [] }
        }
    }

    var removed: [AgentTransaction] {
        flatMap { update -> [AgentTransaction] in
            if case .removed(let transactions) = update { transactions } else { [] }
        }
    }
}

/// Records the sheets that it is asked to present, and presents none.
final class RecordingPresenter: SheetPresenter {
    let sheets = Watched<[URL]>([])
    private let failure: AgentError?

    init(failure: AgentError? = nil) {
        self.failure = failure
    }

    func present(_ sheet: URL) async throws {
        sheets.change { $0.append(sheet) }
        if let failure { throw failure }
    }
}

extension TransactionInfo {
    static func apple(_ identifier: String = "2000000000000001", request: String? = nil) -> TransactionInfo {
        TransactionInfo(
            transactionIdentifier: identifier, originalTransactionIdentifier: identifier,
            productIdentifier: "com.example.fruit.apple", quantity: 1, purchaseDate: 1_700_000_000_000,
            originalPurchaseDate: 1_700_000_000_000, requestIdentifier: request)
    }

    static func restored(_ identifier: String) -> TransactionInfo {
        var transaction = TransactionInfo.apple(identifier)
        transaction.restores = RestoredPurchase(
            transactionIdentifier: "2000000000000001", purchaseDate: 1_600_000_000_000, quantity: 1)
        return transaction
    }
}

extension Journal {
    /// Applies an event of a kind that changes the journal.
    func apply(_ event: StoreEvent, question: Int64, now: Int64) async throws {
        let event = try #require(event.content as? any JournalledEvent)
        try await apply(event, question: question, now: now)
    }
}

extension RevokedInfo {
    /// The refund of the first apple.
    static let apple = RevokedInfo(
        originalTransactionIdentifier: "2000000000000001", productIdentifier: "com.example.fruit.apple",
        isEntitlement: true)
}

extension RevokedProduct {
    static func apple(_ number: Int64) -> RevokedProduct {
        RevokedProduct(product: "com.example.fruit.apple", position: .at(number))
    }
}

extension AgentPayment {
    static let apple = AgentPayment(productIdentifier: "com.example.fruit.apple")
}

extension EventPosition {
    static func at(_ number: Int64) -> EventPosition { EventPosition(account: "account", number: number) }
}
