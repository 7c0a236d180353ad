// SPDX-License-Identifier: Apache-2.0

extension Agent {
    /// Adds a payment to the queue. When this returns, it is in the journal,
    /// durably, and will be sent, by this process or a later one.
    ///
    /// - Returns: the transaction, purchasing; observers are told of it too.
    /// - Throws: `DatabaseError` when the journal can't be written; nothing
    ///   is sent then.
    @discardableResult
    package func add(_ payment: AgentPayment) throws -> AgentTransaction {
        faults.before(.journal)
        let entry = try journal.add(
            payment, request: random.hexadecimal(bytes: 16), process: presence.identifier, now: clock.now)
        faults.after(.journal)
        talker.changed()
        return entry.asPurchasing
    }

    /// Finishes a transaction that the app has delivered. When this returns,
    /// the finish is in the journal, durably: the transaction is never shown
    /// again, and the store is told as often as it takes. Finishing twice is
    /// harmless.
    ///
    /// With `delivered`, a purchase that has left the queue meanwhile is
    /// finished too, so that it doesn't come back. When the journal can't be
    /// written, the log says so, and the finish is repeated until it is in the
    /// journal or the process ends; until then it isn't shown again either.
    ///
    /// - Returns: the transaction as it was; `nil` when it had left the queue,
    ///   or the journal couldn't be written.
    /// - Throws: ``AgentError`` with the code `notFinishable` for one that is
    ///   purchasing or deferred.
    @discardableResult
    package func finish(
        _ identifier: AgentTransaction.ID, delivered: AgentTransaction.Delivered? = nil
    ) throws -> AgentTransaction? {
        faults.before(.finish)
        let (finished, effects): (AgentTransaction?, [QueueEntry.Effect])
        do {
            (finished, effects) = try journal.finish(identifier, delivered: delivered, now: clock.now)
        } catch let error as AgentError {
            throw error
        } catch {
            delivery.finishLater(identifier, delivered, error)
            return nil
        }
        faults.after(.finish)
        if let finished { delivery.finished(finished) }
        if !effects.isEmpty { talker.changed() }
        return finished
    }

    /// Asks the store for all that the account can restore. What comes is
    /// delivered as transactions, then ``AgentUpdate/restoreFinished`` or
    /// ``AgentUpdate/restoreFailed(_:)`` to this process.
    ///
    /// - Throws: `DatabaseError` when the journal can't be written.
    package func restoreCompletedTransactions(applicationUsername: String? = nil) throws {
        try journal.add(
            Errand(
                identifier: random.hexadecimal(bytes: 16), kind: .restore, process: presence.identifier,
                applicationUsername: applicationUsername))
        talker.changed()
    }

    /// Ends a payment that the app doesn't go on with, because the storefront
    /// has changed. It fails with `storeProductNotAvailable`, unless the store
    /// has decided about it already; it is asked as often as it takes.
    ///
    /// - Throws: `DatabaseError` when the journal can't be written.
    package func withdraw(_ identifier: AgentTransaction.ID) throws {
        try journal.withdraw(identifier, now: clock.now)
        talker.changed()
    }

    /// What this process may see of the queue now, oldest first: not what
    /// another living process shows.
    package var transactions: [AgentTransaction] {
        get throws {
            let view = try journal.whole()
            let claim = Claim(process: presence.identifier, observers: Set(view.observers.filter(presence.isAlive)))
            return view.entries
                .filter { (claim.holds($0) || claim.mayTake($0)) && !delivery.isFinished($0.identifier) }
                .compactMap(\.shown)
        }
    }

    /// Delivers transactions to this process from now on, beginning with
    /// everything unfinished.
    ///
    /// The handler is called on a queue of the agent's own, with one batch
    /// at a time, in order. A second handler takes the first one's place.
    package func observe(_ handler: @escaping @Sendable ([AgentUpdate]) -> Void) {
        delivery.observe(handler)
    }

    /// Delivers nothing any more. What this process was shown may be shown by
    /// another, or by the next handler of this one.
    package func stopObserving() {
        delivery.stopObserving()
    }
}
