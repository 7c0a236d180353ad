// SPDX-License-Identifier: Apache-2.0

import StoreAgent

/// The updates of one listener: first the unfinished transactions, then each
/// change as it happens.
///
/// The listener reads the journal when it takes an update. A slow listener
/// therefore takes no memory for the updates that wait for it.
actor TransactionFeed {
    /// The end of a step.
    enum Step: Sendable {
        case update(VerificationResult<Transaction>)
        /// The app uses another agent now.
        case again
    }

    private let hub = TransactionHub.shared
    private var agent: Agent?
    /// The unfinished transactions that the listener has received, or that
    /// were seen in this pass of the queue.
    private var received: Set<String> = []
    private var seen: Set<String> = []
    /// The place in the pass; `nil` at its beginning.
    private var place: SignedRow.Place?
    /// The generation at the beginning of the last complete pass.
    private var passed: UInt64?
    private var passing: UInt64 = 0
    /// The number of the last change that was read.
    private var change: Int64 = 0
    private var waiting: [SignedRow] = []
    /// The number of the last change that the journal records as delivered.
    private var acknowledged: Int64 = 0

    deinit {
        if let agent { hub.end(agent) }
        hub.remove(ObjectIdentifier(self))
    }

    /// Waits for the next update.
    ///
    /// - Throws: `CancellationError`, `DatabaseError`.
    func next(_ agent: Agent) async throws -> Step {
        try await follow(agent)
        while true {
            let generation = agent.changes.generation
            if let row = try await unfinished(agent, generation) { return .update(VerificationResult(row, of: agent)) }
            if let row = try await news(agent) { return .update(VerificationResult(row, of: agent)) }
            guard !agent.changes.isClosed, AgentHost.shared.uses(agent) else { return .again }
            await agent.changes.wait(after: generation)
            try Task.checkCancellation()
        }
    }

    private func follow(_ next: Agent) async throws {
        guard agent !== next else { return }
        if let agent { hub.end(agent) }
        agent = next
        await hub.begin(next)
        received = []
        seen = []
        place = nil
        passed = nil
        waiting = []
        try await next.removeFailedPurchases()
        change = try await next.deliveredSignedTransactions()
        acknowledged = hub.processed(change, by: ObjectIdentifier(self))
    }

    /// The next unfinished transaction that the listener hasn't received.
    private func unfinished(_ agent: Agent, _ generation: UInt64) async throws -> SignedRow? {
        while passed != generation {
            if place == nil {
                seen = []
                passing = generation
            }
            let page = try await agent.unfinishedSignedTransactions(before: place)
            for (entry, row) in page.rows {
                seen.insert(row.transactionIdentifier)
                guard !received.contains(row.transactionIdentifier),
                    !hub.isReturned(row.transactionIdentifier, of: entry, agent)
                else { continue }
                received.insert(row.transactionIdentifier)
                return row
            }
            place = page.next
            guard place == nil else { continue }
            received.formIntersection(seen)
            passed = passing
            guard passing == generation else { continue }
        }
        return nil
    }

    /// The next change that is news.
    private func news(_ agent: Agent) async throws -> SignedRow? {
        var isWhole = false
        while waiting.isEmpty, !isWhole {
            try await acknowledge(change, agent)
            (waiting, change, isWhole) = try await agent.signedNews(after: change)
        }
        guard !waiting.isEmpty else {
            try await acknowledge(change, agent)
            return nil
        }
        let row = waiting.removeFirst()
        try await acknowledge(row.change - 1, agent)
        return row
    }

    private func acknowledge(_ change: Int64, _ agent: Agent) async throws {
        let all = hub.processed(change, by: ObjectIdentifier(self))
        guard all > acknowledged else { return }
        try await agent.deliveredSignedTransactions(upTo: all)
        acknowledged = all
    }
}
