// SPDX-License-Identifier: Apache-2.0

/// A subscriber's handler, and the updates that it has received.
///
/// It isn't deleted when the subscriber leaves: a payment that was delivered
/// as purchasing isn't delivered so again to a later handler. It is used on the
/// delivery's queue only.
final class UpdateRecipient {
    typealias Handler = @Sendable ([AgentUpdate]) -> Void

    /// The largest number of removals that are kept for the next handler.
    private static let removalLimit = 200

    let subscriber: Agent.Subscriber
    private var handler: Handler?
    private var delivered = DeliveredTransactions()
    private var downloads = DeliveredDownloads()
    /// The revocations that were delivered and that the app hasn't
    /// acknowledged.
    private var revoked: Set<RevokedProduct> = []
    /// The point up to which the subscriber has read the journal.
    private(set) var seen = Journal.Seen()

    init(_ subscriber: Agent.Subscriber) {
        self.subscriber = subscriber
    }

    var isActive: Bool { handler != nil }

    /// Reads the journal from the start and calls the handler with all that
    /// wasn't delivered to the previous one.
    func begin(_ handler: @escaping Handler) {
        self.handler = handler
        seen = Journal.Seen()
    }

    /// Removes the handler. The next one receives all unfinished transactions.
    func end() {
        handler = nil
        delivered.reset()
        downloads.reset()
        revoked = []
        seen = Journal.Seen()
    }

    /// Reads all entries again, because some that weren't delivered may be
    /// deliverable now.
    func readAgain() {
        seen.change = 0
        seen.download = 0
    }

    /// Records a transaction that the app has finished, so that its removal
    /// is delivered.
    ///
    /// A process may finish transactions for its whole life without a handler
    /// here, so without one the number is limited. The next handler doesn't
    /// receive the removals beyond it.
    func know(_ finished: AgentTransaction) {
        guard isActive || delivered.count < Self.removalLimit else { return }
        delivered.know(finished)
    }

    /// Delivers the difference between the entries that this process holds
    /// and the updates that were delivered before.
    func deliver(
        _ held: [JournalEntry], of changes: Journal.Changes, process: String, faults: FaultPoints,
        isFinished: (AgentTransaction.ID) -> Bool
    ) {
        let updates = delivered.updates(for: held, of: changes, process: process, isFinished: isFinished)
        if !updates.isEmpty {
            let isDecisive = updates.contains { $0.isDecisive }
            if isDecisive { faults.before(.deliver) }
            handler?(updates)
            delivered.record(updates)
            if isDecisive { faults.after(.deliver) }
        }
        seen = changes.seen
    }

    /// Delivers the changed downloads of transactions that this process holds.
    func deliver(_ changed: [DownloadView], in cache: CacheFolder) {
        let changed = downloads.take(changed, in: cache)
        if !changed.isEmpty { deliver(.downloads(changed)) }
    }

    /// Delivers those of the unacknowledged revocations that weren't delivered
    /// before.
    func deliver(_ unacknowledged: [RevokedProduct]) {
        let new = unacknowledged.filter { !revoked.contains($0) }
        revoked = Set(unacknowledged)
        if !new.isEmpty { deliver(.revoked(new)) }
    }

    /// Delivers an update that isn't about transactions.
    func deliver(_ news: AgentUpdate) {
        handler?([news])
    }
}

extension AgentUpdate {
    /// Whether it contains a transaction that is purchased, restored or
    /// failed.
    fileprivate var isDecisive: Bool {
        guard case .updated(let transactions) = self else { return false }
        return transactions.contains { $0.state != .purchasing && $0.state != .deferred }
    }
}
