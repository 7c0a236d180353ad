// SPDX-License-Identifier: Apache-2.0

/// What this process has told its observers, and what it has to tell them.
struct Shown: Sendable {
    private var transactions: [AgentTransaction.ID: AgentTransaction] = [:]
    /// What was ever told as purchasing: it doesn't begin again.
    private var begun: Set<AgentTransaction.ID> = []
    /// What was told last as removed.
    private var gone: Set<AgentTransaction.ID> = []

    /// What observers are told of the entries of a view that this process
    /// shows. A payment that the telling process has added is told as
    /// purchasing first, however fast the store was. What the app has finished
    /// isn't told again.
    func updates(
        for entries: [QueueEntry], of view: Journal.View, process: String,
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
        let hidden = view.entries.compactMap { present.contains($0.identifier) ? nil : transactions[$0.identifier] }
        let departed = view.present.map { all in transactions.values.filter { !all.contains($0.id) } } ?? []
        let gone = (hidden + departed).sorted { $0.id < $1.id }
        var updates: [AgentUpdate] = []
        if !began.isEmpty { updates.append(.updated(began)) }
        if !changed.isEmpty { updates.append(.updated(changed)) }
        if !gone.isEmpty { updates.append(.removed(gone)) }
        return updates
    }

    /// Remembers that observers were told.
    mutating func told(_ updates: [AgentUpdate]) {
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
            case .restoreFinished, .restoreFailed, .revoked, .storefrontChanged:
                break
            }
        }
    }

    /// Forgets what observers were told: there will be others.
    mutating func forgetTold() {
        transactions = [:]
        gone = []
    }

    /// Remembers a transaction that the app has found by itself, unless it
    /// has been told already that it left: a round may come between a finish
    /// and the word of it.
    mutating func know(_ transaction: AgentTransaction) {
        guard transactions[transaction.id] == nil, !gone.contains(transaction.id) else { return }
        transactions[transaction.id] = transaction
    }
}
