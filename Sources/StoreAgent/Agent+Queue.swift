// SPDX-License-Identifier: Apache-2.0

import StoreCore

extension Agent {
    /// Adds a payment to the queue.
    ///
    /// When this returns, the payment is durable in the journal. This process
    /// or a later one sends it. Observers receive the transaction too.
    ///
    /// - Returns: the transaction, in the state `purchasing`.
    /// - Throws: `DatabaseError` when the journal can't be written; nothing
    ///   is sent then.
    @discardableResult
    package func add(_ payment: AgentPayment) throws -> AgentTransaction {
        faults.before(.journal)
        let entry = try journal.add(
            payment, request: random.hexadecimal(bytes: 16), process: presence.identifier, now: clock.now)
        faults.after(.journal)
        synchronizer.changed()
        return entry.asPurchasing
    }

    /// Finishes a transaction that the app has delivered.
    ///
    /// When this returns, the finish is durable in the journal: the
    /// transaction isn't delivered again, and the finish is sent to the store
    /// until the store confirms it. Finishing twice is harmless.
    ///
    /// With `delivered`, a purchase that has left the queue is finished too,
    /// so that it isn't delivered again. When the journal can't be written,
    /// the error is logged, and the write is repeated until it succeeds or
    /// the process ends. Until then the transaction isn't delivered again
    /// either.
    ///
    /// - Returns: the transaction as it was; `nil` when the app couldn't see
    ///   it any more, or the journal couldn't be written.
    /// - Throws: ``AgentError`` with the code `notFinishable` for a
    ///   transaction that is purchasing or deferred.
    @discardableResult
    package func finish(
        _ identifier: AgentTransaction.ID, delivered: AgentTransaction.Delivered? = nil
    ) throws -> AgentTransaction? {
        faults.before(.finish)
        let finished: AgentTransaction?
        do {
            finished = try journal.finish(identifier, delivered: delivered, now: clock.now)
        } catch let error as AgentError {
            throw error
        } catch {
            delivery.finishLater(identifier, delivered, error)
            return nil
        }
        faults.after(.finish)
        if let finished { delivery.finished(finished) }
        synchronizer.changed()
        return finished
    }

    /// Restores the account's completed transactions.
    ///
    /// This process receives them as transactions, and then
    /// ``AgentUpdate/restoreFinished`` or ``AgentUpdate/restoreFailed(_:)``.
    ///
    /// - Throws: `DatabaseError` when the journal can't be written.
    package func restoreCompletedTransactions() throws {
        try journal.add(
            AppRequest(
                identifier: random.hexadecimal(bytes: 16), kind: .restore, process: presence.identifier))
        synchronizer.changed()
    }

    /// Cancels a payment because the storefront has changed.
    ///
    /// The payment fails with `storeProductNotAvailable`, unless the store
    /// has decided already. The cancellation is sent until the store answers.
    ///
    /// - Throws: `DatabaseError` when the journal can't be written.
    package func withdraw(_ identifier: AgentTransaction.ID) throws {
        try journal.withdraw(identifier, now: clock.now)
        synchronizer.changed()
    }

    /// Records that the app has received revocations. They aren't delivered
    /// any more.
    ///
    /// When the journal can't be written, the write is repeated until it
    /// succeeds or the agent is closed.
    package func acknowledge(_ revoked: [RevokedProduct]) {
        delivery.acknowledge(revoked)
    }

    /// The transactions that this process may see now, oldest first. Those
    /// that another living process shows aren't among them.
    package var transactions: [AgentTransaction] {
        get throws {
            let view = try journal.whole()
            let claim = Claim(view.processes, of: presence.identifier, isAlive: presence.isAlive)
            return view.entries
                .filter { (claim.holds($0) || claim.mayTake($0)) && !delivery.isFinished($0.identifier) }
                .compactMap(\.shown)
        }
    }

    /// Delivers updates to a subscriber from now on.
    ///
    /// The first handler, and the first after ``stopObserving(as:)``,
    /// receives all unfinished transactions that this process may deliver,
    /// whether or not another subscriber has received them. The handler is
    /// called on a queue of the agent, with one batch at a time, in order. A
    /// second handler of the subscriber replaces the first one, and receives
    /// later changes only.
    ///
    /// Updates that aren't about transactions are delivered once, to the
    /// subscribers that there are then.
    package func observe(
        as subscriber: Subscriber = .paymentQueue, _ handler: @escaping @Sendable ([AgentUpdate]) -> Void
    ) {
        delivery.observe(as: subscriber, handler)
    }

    /// Stops the delivery of updates to a subscriber, whose next handler
    /// receives all unfinished transactions again. Without any subscriber left,
    /// another process may deliver the transactions of this one.
    package func stopObserving(as subscriber: Subscriber = .paymentQueue) {
        delivery.stopObserving(as: subscriber)
    }
}
