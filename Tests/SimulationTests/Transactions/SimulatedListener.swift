// SPDX-License-Identifier: Apache-2.0

import Synchronization

@testable import StoreAgent
@testable import StoreKit

/// One listener of `Transaction.updates` in a process.
final class SimulatedListener: @unchecked Sendable {  // because only the scheduler's thread touches it
    private let transactions: SimulatedTransactions
    let name: String
    /// Whether it works for seconds on each update, in which it takes no other
    /// one.
    let isSlow: Bool
    /// When it began to listen.
    let began: Int64
    /// The transactions that it has received.
    private(set) var received: Set<Received> = []
    private var task: Task<Void, Never>?

    /// A transaction, as a purchase or as a refund.
    struct Received: Hashable {
        var transaction: String
        var isRevoked: Bool
    }

    init(_ transactions: SimulatedTransactions, number: Int, isSlow: Bool) {
        self.transactions = transactions
        self.isSlow = isSlow
        name = "listener \(number) of \(transactions.life.name)"
        began = transactions.world.scheduler.now
    }

    var isListening: Bool { task != nil }

    func start() {
        let (world, agent, life) = (transactions.world, transactions.agent, transactions.life)
        let feed = TransactionFeed(hub: transactions.hub) { _ in true }
        task = Task(executorPreference: world.scheduler) { [weak self] in
            while !Task.isCancelled {
                let customer = self?.transactions.customer
                guard let update = try? await feed.next(agent), life.isAlive, !Task.isCancelled else { return }
                self?.receive(update, of: customer)
                guard self?.isSlow == true else { continue }
                try? await world.scheduler.sleep(milliseconds: Int64(world.chance.number(in: 100..<15_000)))
            }
        }
    }

    /// Gives an update to the next customer too, as a listener that kept it
    /// would.
    private func outlive(_ update: VerificationResult<Transaction>, of customer: String?, looks: Int) {
        guard looks > 0 else { return }
        transactions.world.scheduler.after(500) { [weak self] in
            guard let self, isListening, transactions.life.isAlive else { return }
            guard let next = transactions.customer, next != customer else {
                return outlive(update, of: customer, looks: looks - 1)
            }
            transactions.witness?.isOfCustomer(update, next, name, transactions)
        }
    }

    func end() {
        task?.cancel()
        task = nil
    }

    /// Receives an update. The customer was signed in when the call for it
    /// began.
    private func receive(_ update: VerificationResult<Transaction>, of customer: String?) {
        guard isListening else { return }
        if transactions.world.mistake == .updatesOutliveTheirCustomer { outlive(update, of: customer, looks: 240) }
        transactions.witness?.isOfCustomer(update, customer, name, transactions)
        let transaction = update.unsafePayloadValue
        let what = transaction.revocationDate == nil ? "" : ", refunded"
        transactions.world.note("\(name) gets \(transaction.number.suffix(6)) of \(transaction.productID)\(what)")
        let new = Received(transaction: transaction.number, isRevoked: transaction.revocationDate != nil)
        transactions.witness?.updated(update, new, to: self, of: transactions)
        received.insert(new)
        if transactions.world.mistake == .updatesReachOneListener {
            // As if the listeners of a process shared the updates.
            transactions.agent.returnedTransactions.insert(transaction.number)
        }
        transactions.finishLater(transaction)
        if !new.isRevoked { transactions.world.regret(new.transaction) }
    }
}
