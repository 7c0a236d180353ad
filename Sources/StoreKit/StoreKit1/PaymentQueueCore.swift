// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import StoreAgent

/// What is behind every SKPaymentQueue: the observers, and the way to the
/// agent.
final class PaymentQueueCore: @unchecked Sendable {
    // @unchecked because observers aren't Sendable; `lock` and `observing`
    // protect all of the state, and observers are called on the main queue
    // only.
    static let shared = PaymentQueueCore(host: .shared)

    /// An observer, and the queue object that it registered with and is told.
    struct Registration {
        let observer: any SKPaymentTransactionObserver
        let queue: SKPaymentQueue
    }

    private struct WeakRegistration {
        weak var observer: (any SKPaymentTransactionObserver)?
        let queue: SKPaymentQueue
        /// Whether it has heard of what is unfinished; before that it hears
        /// nothing, so that it hears of everything once.
        var isGreeted = false

        var alive: Registration? { observer.map { Registration(observer: $0, queue: queue) } }
    }

    let host: AgentHost
    private let lock = NSLock()
    private var registrations: [WeakRegistration] = []
    private var told = ToldTransactions()
    /// Payments that never reached the agent: shown as failed until finished.
    private var refused: [SKPaymentTransaction] = []
    private var refusals = 0
    /// What the customer began to buy outside of the app before there was an
    /// observer to ask.
    private var waiting: [SKProduct] = []
    private var hasReadArguments = false
    /// Counts the beginnings and ends of the agent's delivering: what comes
    /// late of an earlier one is told to nobody.
    private var delivery = 0

    /// Held while an agent is told whether to deliver.
    private let observing = NSLock()
    /// The agent that delivers to this process.
    private weak var observed: Agent?

    /// The queue of a host, which begins to deliver whenever the host's agent
    /// starts and there are observers.
    init(host: AgentHost) {
        self.host = host
        host.whenStarted { [weak self] agent in self?.settle(agent) }
    }

    var observers: [Registration] { lock.withLock { registrations.compactMap(\.alive) } }

    /// The observers that have heard of what is unfinished.
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
        // Without an agent the host has said why. Whatever starts it later
        // begins to deliver, and every payment until then fails with the
        // reason.
        settle(try? host.agent())
        host.settle()
    }

    func remove(_ observer: any SKPaymentTransactionObserver) {
        lock.withLock { registrations.removeAll { $0.observer == nil || $0.observer === observer } }
        settle(nil)
        host.settle()
    }

    /// Has another agent deliver to this process, or none until one starts:
    /// what came of the last one is forgotten.
    func changeAgent(to agent: Agent?) {
        observing.withLock {
            lock.withLock {
                refused = []
                waiting = []
            }
            guard let before = observed, before !== agent else { return }
            observed = nil
            _ = beginDelivery()
            before.stopObserving()
        }
        settle(agent)
    }

    /// Has the agent deliver to this process as long as there are observers,
    /// and leave to other processes what they may show otherwise.
    private func settle(_ agent: Agent?) {
        observing.withLock {
            if observers.isEmpty {
                guard let agent = observed else { return }
                observed = nil
                _ = beginDelivery()
                agent.stopObserving()
            } else if let agent, agent !== observed {
                observed = agent
                let number = beginDelivery()
                agent.observe { [weak self, weak agent] updates in
                    self?.onMain { [agent] core in core.hear(updates, from: agent, of: number) }
                }
            }
        }
    }

    /// A new delivery begins with everything unfinished.
    private func beginDelivery() -> Int {
        lock.withLock {
            told.keep(refused)
            delivery += 1
            return delivery
        }
    }

    private func hear(_ updates: [AgentUpdate], from agent: Agent?, of number: Int) {
        guard lock.withLock({ delivery == number }) else { return }
        // The last observer may have gone without a word, being held weakly.
        guard !observers.isEmpty else { return settle(nil) }
        for update in updates { tell(update, from: agent) }
    }

    /// Keeps a product until there is an observer to ask.
    func wait(with product: SKProduct) {
        lock.withLock { waiting.append(product) }
    }

    func takeWaiting() -> [SKProduct] {
        lock.withLock {
            defer { waiting = [] }
            return waiting
        }
    }

    /// Opens the addresses that the process was started with, once.
    private func openArguments() {
        let isFirst = lock.withLock {
            defer { hasReadArguments = true }
            return !hasReadArguments
        }
        guard isFirst else { return }
        for intent in PurchaseIntent.all(in: ProcessInfo.processInfo.arguments) { _ = open(intent) }
    }

    /// Tells new observers what the others have heard.
    private func greet() {
        greetNew()
        offerWaiting()
    }

    private func greetNew() {
        let (new, transactions) = lock.withLock {
            let new = registrations.filter { !$0.isGreeted }.compactMap(\.alive)
            for index in registrations.indices { registrations[index].isGreeted = true }
            return (new, told.all)
        }
        guard !transactions.isEmpty else { return }
        for each in new { each.observer.paymentQueue(each.queue, updatedTransactions: transactions) }
    }

    func remember(told transactions: [SKPaymentTransaction]) {
        lock.withLock { transactions.forEach { told.tell($0) } }
    }

    /// Tells of everything that was told and hasn't left the queue that it has
    /// left it: the queue is no more.
    func tellGone() {
        let gone = lock.withLock { told.all }
        onMain { core in core.tellRemoved(gone) }
    }

    func forgetTold(_ entry: String) {
        lock.withLock { told.forget(entry) }
    }

    /// Does something on the main queue, where observers are called.
    func onMain(_ work: @escaping @Sendable (PaymentQueueCore) -> Void) {
        host.callbacks.add { work(self) }
    }

    /// Shows a payment that couldn't be written down as failed.
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
        onMain { core in core.tellUpdated([transaction]) }
    }

    /// Takes a transaction out that the agent knows nothing of.
    ///
    /// - Returns: whether there was such a one.
    func finishRefused(_ transaction: SKPaymentTransaction) -> Bool {
        let found = lock.withLock {
            guard let index = refused.firstIndex(of: transaction) else { return false }
            refused.remove(at: index)
            return true
        }
        if found { onMain { core in core.tellRemoved([transaction]) } }
        return found
    }
}
