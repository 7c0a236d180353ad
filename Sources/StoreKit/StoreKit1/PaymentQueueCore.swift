// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import StoreAPI
internal import StoreAgent

/// What is behind every SKPaymentQueue: the observers, and the way to the
/// agent.
final class PaymentQueueCore: @unchecked Sendable {
    // @unchecked because observers aren't Sendable; `lock` protects all of
    // the state, and observers are called on the main queue only.
    static let shared = PaymentQueueCore()

    /// An observer, and the queue object that it registered with and is told.
    struct Registration {
        let observer: any SKPaymentTransactionObserver
        let queue: SKPaymentQueue
    }

    private struct WeakRegistration {
        weak var observer: (any SKPaymentTransactionObserver)?
        let queue: SKPaymentQueue

        var alive: Registration? { observer.map { Registration(observer: $0, queue: queue) } }
    }

    private let lock = NSLock()
    private var registrations: [WeakRegistration] = []
    /// Whether the agent was told to deliver to this process.
    private var isDelivering = false
    /// Payments that never reached the agent: shown as failed until finished.
    private var refused: [SKPaymentTransaction] = []
    private var refusals = 0
    private var knownStorefront: SKStorefront?

    var observers: [Registration] { lock.withLock { registrations.compactMap(\.alive) } }

    var storefront: SKStorefront? { lock.withLock { knownStorefront } }

    var transactions: [SKPaymentTransaction] {
        let journalled = (try? AgentHost.shared.agent().transactions) ?? []
        return lock.withLock { refused } + journalled.map(SKPaymentTransaction.init)
    }

    func add(_ observer: any SKPaymentTransactionObserver, through queue: SKPaymentQueue) {
        let (isFirst, isAlone, isNew) = lock.withLock {
            registrations.removeAll { $0.observer == nil }
            guard !registrations.contains(where: { $0.observer === observer }) else { return (false, false, false) }
            defer { isDelivering = true }
            let isAlone = registrations.isEmpty
            registrations.append(WeakRegistration(observer: observer, queue: queue))
            return (!isDelivering, isAlone, true)
        }
        guard isNew else { return }
        if isFirst {
            startDelivering()
        } else if isAlone {
            // What came while nobody was registered is in the queue still.
            onMain { core in core.tellUpdated(core.transactions) }
        }
    }

    func remove(_ observer: any SKPaymentTransactionObserver) {
        lock.withLock { registrations.removeAll { $0.observer == nil || $0.observer === observer } }
    }

    private func startDelivering() {
        do {
            try AgentHost.shared.agent().observe { updates in
                self.onMain { core in
                    for update in updates { core.tell(update) }
                }
            }
        } catch {
            // The host has said why. The next observer tries again, and every
            // payment until then fails with the reason.
            lock.withLock { isDelivering = false }
        }
    }

    /// Does something on the main queue, where observers are called.
    func onMain(_ work: @escaping @Sendable (PaymentQueueCore) -> Void) {
        DispatchQueue.main.async { work(self) }
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

    /// Remembers the storefront that the store has answered for.
    func note(_ info: StorefrontInfo) {
        let hasChanged = lock.withLock {
            let known = knownStorefront
            guard known?.countryCode != info.countryCode || known?.identifier != info.identifier else { return false }
            knownStorefront = SKStorefront(info)
            return known != nil
        }
        guard hasChanged else { return }
        onMain { core in
            for each in core.observers { each.observer.paymentQueueDidChangeStorefront(each.queue) }
        }
    }
}
