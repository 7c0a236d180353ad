// SPDX-License-Identifier: Apache-2.0

/// The transactions that were delivered to one subscriber.
struct DeliveredTransactions: Sendable {
    private var transactions: [AgentTransaction.ID: AgentTransaction] = [:]
    /// The transactions that were delivered as purchasing. That state isn't
    /// inserted before their decision again.
    private var begun: Set<AgentTransaction.ID> = []
    /// The transactions that were last delivered as removed.
    private var gone: Set<AgentTransaction.ID> = []

    /// The number of transactions whose removal wasn't delivered.
    var count: Int { transactions.count }

    /// The updates that the subscriber has to receive about the entries that
    /// this process holds.
    ///
    /// A payment that this process has added is delivered as purchasing
    /// first, even if it is decided already. A transaction that the app has
    /// finished isn't delivered again.
    func updates(
        for entries: [JournalEntry], of changes: Journal.Changes, process: String,
        isFinished: (AgentTransaction.ID) -> Bool
    ) -> [AgentUpdate] {
        let visible = entries.compactMap { entry in entry.shown.map { (entry, $0) } }
        var began: [AgentTransaction] = []
        var changed: [AgentTransaction] = []
        for (entry, transaction) in visible
        where transactions[transaction.id] != transaction && !isFinished(transaction.id) {
            let isNew = transactions[transaction.id] == nil && !begun.contains(transaction.id)
            if isNew, entry.adder == process, entry.request != nil, transaction.state != .purchasing {
                began.append(entry.asPurchasing)
            }
            changed.append(transaction)
        }
        let present = Set(visible.map(\.1.id))
        let hidden = changes.entries.compactMap { present.contains($0.identifier) ? nil : transactions[$0.identifier] }
        let departed = changes.present.map { all in transactions.values.filter { !all.contains($0.id) } } ?? []
        let gone = (hidden + departed).sorted { $0.id < $1.id }
        var updates: [AgentUpdate] = []
        if !began.isEmpty { updates.append(.updated(began)) }
        if !changed.isEmpty { updates.append(.updated(changed)) }
        if !gone.isEmpty { updates.append(.removed(gone)) }
        return updates
    }

    /// Records that updates were delivered.
    mutating func record(_ updates: [AgentUpdate]) {
        for update in updates {
            switch update {
            case .updated(let changed):
                for transaction in changed {
                    transactions[transaction.id] = transaction
                    self.gone.remove(transaction.id)
                    if transaction.state == .purchasing { begun.insert(transaction.id) }
                }
            case .removed(let gone):
                for transaction in gone {
                    transactions[transaction.id] = nil
                    self.gone.insert(transaction.id)
                }
            case .downloads, .restoreFinished, .restoreFailed, .revoked, .priceIncrease, .storefrontChanged:
                break
            }
        }
    }

    /// Clears the delivered transactions, for the next handler.
    mutating func reset() {
        transactions = [:]
        gone = []
    }

    /// Records a transaction that the app has finished without an update
    /// about it, so that its removal is delivered.
    ///
    /// Does nothing if the removal was delivered already: a round may run
    /// between the finish and this call.
    mutating func know(_ transaction: AgentTransaction) {
        guard transactions[transaction.id] == nil, !gone.contains(transaction.id) else { return }
        transactions[transaction.id] = transaction
    }
}
