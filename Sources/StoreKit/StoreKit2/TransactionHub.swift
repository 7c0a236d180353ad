// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreAgent
import Synchronization

/// The listeners and waiting purchases of this process.
///
/// A transaction that a waiting purchase returns isn't an update for the
/// listeners. When the task of the purchase is cancelled, it is.
final class TransactionHub: Sendable {
    static let shared = TransactionHub()

    typealias StorefrontHandler = @Sendable (Storefront) -> Bool

    /// A purchase of an agent. Agents of two test sessions may give the same
    /// identifiers.
    private struct Purchase: Hashable {
        let agent: ObjectIdentifier
        let identifier: AgentTransaction.ID

        init(_ identifier: AgentTransaction.ID, of agent: Agent) {
            self.agent = ObjectIdentifier(agent)
            self.identifier = identifier
        }
    }

    private struct State {
        /// The purchases that a task waits for.
        var awaited: [Purchase: StorefrontHandler?] = [:]
        /// By listener: the number of the last change of its agent that it has
        /// processed.
        var processed: [ObjectIdentifier: (agent: ObjectIdentifier, change: Int64)] = [:]
        /// The number of listeners of messages.
        var messageListeners = 0
        /// The number of listeners and purchases of each agent that they
        /// observe.
        var users: [ObjectIdentifier: Int] = [:]
    }

    private let state = Mutex(State())

    // MARK: Observing

    /// Makes this process receive an agent's transactions, until ``end(_:)``
    /// was called as often.
    func begin(_ agent: Agent) async {
        state.withLock { state in
            state.users[ObjectIdentifier(agent), default: 0] += 1
            guard state.users[ObjectIdentifier(agent)] == 1 else { return }
            // Under the lock, so that the agent begins and ends to deliver in the order of the counts.
            agent.beginObserving(as: .transactions) { [weak self, weak agent] updates in
                guard let self, let agent else { return }
                for update in updates { notify(update, from: agent) }
            }
        }
        await agent.observed()
    }

    /// Ends what ``begin(_:)`` has begun.
    func end(_ agent: Agent) {
        state.withLock { state in
            let users = (state.users[ObjectIdentifier(agent)] ?? 1) - 1
            state.users[ObjectIdentifier(agent)] = users == 0 ? nil : users
            if users == 0 { agent.endObserving(as: .transactions) }
        }
    }

    private func notify(_ update: AgentUpdate, from agent: Agent) {
        switch update {
        case .storefrontChanged(let storefront, _): changed(to: storefront, agent)
        case .removed(let transactions): agent.returnedTransactions.remove(transactions)
        case .priceIncrease where showsPriceIncreases:
            do { try agent.showPriceConsent() } catch { AgentHost.say("The price increase isn't shown: \(error)") }
        default: break
        }
    }

    /// Whether no observer of StoreKit 1 and no listener of messages decides
    /// about the sheet of a higher price.
    private var showsPriceIncreases: Bool {
        self === Self.shared && !hasMessageListeners && PaymentQueueCore.shared.observers.isEmpty
    }

    /// Cancels the purchases that the app doesn't continue in a storefront.
    private func changed(to storefront: StorefrontInfo, _ agent: Agent) {
        let awaited = state.withLock(\.awaited).filter { $0.key.agent == ObjectIdentifier(agent) }
        for case (let purchase, let handler?) in awaited.sorted(by: { $0.key.identifier < $1.key.identifier })
        where !handler(Storefront(storefront)) {
            agent.cancel(purchase.identifier)
        }
    }

    // MARK: Purchases

    /// Records that a task waits for a purchase.
    func await(_ purchase: AgentTransaction.ID, of agent: Agent, onStorefrontChange handler: StorefrontHandler?) {
        state.withLock { $0.awaited[Purchase(purchase, of: agent)] = .some(handler) }
    }

    /// Records that the task has the purchase's transaction, or doesn't wait
    /// any more.
    func leave(_ purchase: AgentTransaction.ID, returning transaction: String? = nil, of agent: Agent) {
        if let transaction { agent.returnedTransactions.insert(transaction) }
        state.withLock { $0.awaited[Purchase(purchase, of: agent)] = nil }
    }

    /// Whether a transaction of the queue isn't an update: a purchase returns
    /// it.
    func isReturned(_ transaction: String, of purchase: AgentTransaction.ID, _ agent: Agent) -> Bool {
        // In this order: a purchase is awaited until its transaction is
        // recorded as returned.
        if state.withLock({ $0.awaited[Purchase(purchase, of: agent)] != nil }) { return true }
        return agent.returnedTransactions.contains(transaction)
    }

    // MARK: Listeners

    /// Whether the app listens for messages, and shows their sheets.
    var hasMessageListeners: Bool { state.withLock { $0.messageListeners > 0 } }

    /// Records that a listener of messages begins or ends.
    func countMessageListeners(_ change: Int) {
        state.withLock { $0.messageListeners += change }
    }

    /// Records the last change of an agent that a listener has processed.
    ///
    /// - Returns: the last change that all listeners of the agent have
    ///   processed.
    func processed(_ change: Int64, of agent: Agent, by listener: ObjectIdentifier) -> Int64 {
        state.withLock { state in
            state.processed[listener] = (ObjectIdentifier(agent), change)
            return state.processed.values.filter { $0.agent == ObjectIdentifier(agent) }.map(\.change).min() ?? change
        }
    }

    /// Removes a listener.
    func remove(_ listener: ObjectIdentifier) {
        state.withLock { $0.processed[listener] = nil }
    }
}
