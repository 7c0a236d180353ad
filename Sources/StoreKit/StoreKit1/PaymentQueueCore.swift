// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent

/// The state that all SKPaymentQueue objects share: the observers, and the
/// access to the agent.
final class PaymentQueueCore: @unchecked Sendable {
    // @unchecked because observers are not Sendable; `lock` and `observing`
    // protect all of the state, and observers are called on the main queue
    // only.
    static let shared = PaymentQueueCore(host: .shared)

    /// An observer, and the queue object that it registered with and receives.
    struct Registration {
        let observer: any SKPaymentTransactionObserver
        let queue: SKPaymentQueue
    }

    private struct WeakRegistration {
        weak var observer: (any SKPaymentTransactionObserver)?
        let queue: SKPaymentQueue
        /// Whether the observer has received the unfinished transactions.
        /// Before that it isn't called, so that it receives each transaction
        /// once.
        var isGreeted = false

        var alive: Registration? { observer.map { Registration(observer: $0, queue: queue) } }
    }

    let host: AgentHost
    private let lock = NSLock()
    private var registrations: [WeakRegistration] = []
    private var delivered = ObservedTransactions()
    /// Payments that could not be saved: shown as failed until finished.
    private var refused: [SKPaymentTransaction] = []
    private var refusals = 0
    /// The purchases that the customer began outside the app before there was
    /// an observer or a listener.
    private var waiting: [OutsidePurchase] = []
    private var hasReadArguments = false
    /// Counts the starts and ends of the agent's delivery, so that late
    /// updates of an earlier delivery are dropped.
    private var delivery = 0

    /// Held while an agent's delivery is started or stopped.
    private let observing = NSLock()
    /// The agent that delivers to this process.
    private weak var observed: Agent?

    /// Makes the queue of a host. Delivery begins when the host's agent starts
    /// and there are observers.
    init(host: AgentHost) {
        self.host = host
        host.whenStarted { [weak self] agent in self?.settle(agent) }
    }

    var observers: [Registration] { lock.withLock { registrations.compactMap(\.alive) } }

    /// The observers that have received the unfinished transactions.
    var listeners: [Registration] { lock.withLock { registrations.filter(\.isGreeted).compactMap(\.alive) } }

    var storefront: SKStorefront? { (try? host.agent())?.storefront.map(SKStorefront.init) }

    var transactions: [SKPaymentTransaction] {
        let agent = try? host.agent()
        return lock.withLock { refused } + shown((try? agent?.transactions) ?? [], of: agent)
    }

    func add(_ observer: any SKPaymentTransactionObserver, through queue: SKPaymentQueue) {
        let isNew = lock.withLock {
            registrations.removeAll { $0.observer == nil }
            guard !registrations.contains(where: { $0.observer === observer }) else { return false }
            registrations.append(WeakRegistration(observer: observer, queue: queue))
            return true
        }
        guard isNew else { return }
        onMain { core in core.greet() }
        openArguments()
        // Without an agent the host has reported the reason. A later start
        // begins the delivery, and until then every payment fails with the
        // reason.
        settle(try? host.agent())
        host.settle()
    }

    func remove(_ observer: any SKPaymentTransactionObserver) {
        lock.withLock { registrations.removeAll { $0.observer == nil || $0.observer === observer } }
        settle(nil)
        host.settle()
    }

    /// Makes another agent deliver to this process, or none until one starts,
    /// and deletes the state of the previous agent.
    func changeAgent(to agent: Agent?) {
        observing.withLock {
            lock.withLock {
                refused = []
                waiting = []
            }
            if self === Self.shared { IntentHub.shared.forget() }
            guard let before = observed, before !== agent else { return }
            observed = nil
            _ = beginDelivery()
            before.stopObserving(as: .paymentQueue)
        }
        settle(agent)
    }

    /// Starts the agent's delivery when there are observers, and stops it when
    /// there are none, so that other processes may receive the transactions.
    private func settle(_ agent: Agent?) {
        observing.withLock {
            if observers.isEmpty {
                guard let agent = observed else { return }
                observed = nil
                _ = beginDelivery()
                agent.stopObserving(as: .paymentQueue)
            } else if let agent, agent !== observed {
                observed = agent
                let number = beginDelivery()
                agent.observe(as: .paymentQueue) { [weak self, weak agent] updates in
                    self?.onMain { [agent] core in core.receive(updates, from: agent, of: number) }
                }
            }
        }
    }

    /// Ends the previous delivery. A new one begins with all unfinished
    /// transactions.
    private func beginDelivery() -> Int {
        lock.withLock {
            delivered.keep(refused)
            delivery += 1
            return delivery
        }
    }

    private func receive(_ updates: [AgentUpdate], from agent: Agent?, of number: Int) {
        guard lock.withLock({ delivery == number }) else { return }
        // The last observer may have been deallocated without being removed.
        guard !observers.isEmpty else { return settle(nil) }
        for update in updates { notify(update, from: agent) }
    }

    /// Stores a purchase until there is an observer or a listener.
    func wait(with purchase: OutsidePurchase) {
        lock.withLock { waiting.append(purchase) }
    }

    func takeWaiting() -> [OutsidePurchase] {
        lock.withLock {
            defer { waiting = [] }
            return waiting
        }
    }

    /// Opens the URLs that the process was started with, once.
    func openArguments() {
        let isFirst = lock.withLock {
            defer { hasReadArguments = true }
            return !hasReadArguments
        }
        guard isFirst else { return }
        for link in StorePurchaseLink.all(in: ProcessInfo.processInfo.arguments) { _ = open(link) }
    }

    /// Greets new observers, and offers them the products that have waited.
    private func greet() {
        greetNew()
        offerWaiting()
    }

    /// Calls each new observer with the unfinished transactions that others
    /// have received. From then on it receives every update.
    func greetNew() {
        let (new, transactions) = lock.withLock {
            let new = registrations.filter { !$0.isGreeted }.compactMap(\.alive)
            for index in registrations.indices { registrations[index].isGreeted = true }
            return (new, delivered.all)
        }
        guard !transactions.isEmpty else { return }
        for each in new { each.observer.paymentQueue(each.queue, updatedTransactions: transactions) }
    }

    func remember(delivered transactions: [SKPaymentTransaction]) {
        lock.withLock { transactions.forEach { delivered.record($0) } }
    }

    /// Notifies the observers that all transactions have left the queue,
    /// because the queue doesn't exist any more.
    func notifyAllRemoved() {
        let gone = lock.withLock { delivered.all }
        onMain { core in core.notifyRemoved(gone) }
    }

    func forgetDelivered(_ entry: String) {
        lock.withLock { delivered.forget(entry) }
    }

    /// Runs a closure on the main queue, where observers are called.
    func onMain(_ work: @escaping @Sendable (PaymentQueueCore) -> Void) {
        host.callbacks.add { work(self) }
    }

    /// Shows a payment that could not be saved as failed.
    func refuse(_ payment: SKPayment, _ error: SKError) {
        let transaction = lock.withLock {
            refusals += 1
            var contents = SKPaymentTransaction.Contents()
            contents.entry = "refused-\(refusals)"
            contents.state = .failed
            contents.payment = SKPayment(snapshotOf: payment)
            contents.error = error
            let transaction = SKPaymentTransaction(contents)
            refused.append(transaction)
            return transaction
        }
        onMain { core in core.notifyUpdated([transaction]) }
    }

    /// Removes a transaction that isn't in the agent's journal.
    ///
    /// - Returns: whether the transaction was such a one.
    func finishRefused(_ transaction: SKPaymentTransaction) -> Bool {
        let found = lock.withLock {
            guard let index = refused.firstIndex(of: transaction) else { return false }
            refused.remove(at: index)
            return true
        }
        if found { onMain { core in core.notifyRemoved([transaction]) } }
        return found
    }
}
