// SPDX-License-Identifier: Apache-2.0

import StoreAgent

/// The updates of one listener: first the unfinished transactions, then each
/// change as it happens.
///
/// The listener reads the journal when it takes an update. A slow listener
/// therefore takes no memory for the updates that wait for it.
actor TransactionFeed {
    private let hub: TransactionHub
    private let isUsed: @Sendable (Agent) -> Bool
    private var agent: Agent?
    /// Whether the listener knows the changes that the agent has delivered.
    private var isReady = false
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
    /// The news of the last batch, each with the change after which the batch
    /// was read.
    private var waiting: [(version: SignedRow.Version, after: Int64)] = []
    /// The changes that calls are about to return: copies of an iterator share
    /// this listener.
    private var taken: Set<Int64> = []
    /// The number of the last change that the journal records as delivered.
    private var acknowledged: Int64 = 0

    /// A listener that has received nothing.
    ///
    /// - Parameters:
    ///   - hub: The listeners of the process.
    ///   - isUsed: Whether the app uses an agent now.
    init(
        hub: TransactionHub = .shared, isUsed: @escaping @Sendable (Agent) -> Bool = { AgentHost.shared.uses($0) }
    ) {
        self.hub = hub
        self.isUsed = isUsed
    }

    deinit {
        if let agent { hub.end(agent) }
        hub.remove(ObjectIdentifier(self))
    }

    /// Waits for the next update; `nil` when the app uses another agent.
    ///
    /// - Throws: `CancellationError`.
    func next(_ agent: Agent) async throws -> VerificationResult<Transaction>? {
        try await agent.listen(isUsed: isUsed) { try await update(agent, $0) }
    }

    /// The next update; `nil` when there is none before the next change.
    private func update(_ agent: Agent, _ generation: UInt64) async throws -> VerificationResult<Transaction>? {
        try await agent.useSignedTransactions()
        try await follow(agent)
        if let row = try await unfinished(agent, generation) { return VerificationResult(row, of: agent) }
        return try await news(agent).map { VerificationResult($0, of: agent) }
    }

    private func follow(_ next: Agent) async throws {
        if agent !== next { await begin(next) }
        guard !isReady else { return }
        try await next.removeFailedPurchases()
        let delivered = try await next.deliveredSignedTransactions()
        // Another call for this listener may have begun, and read on.
        guard !isReady, agent === next else { return }
        change = delivered
        acknowledged = hub.processed(change, of: next, by: ObjectIdentifier(self))
        isReady = true
    }

    private func begin(_ next: Agent) async {
        if let agent { hub.end(agent) }
        agent = next
        isReady = false
        received = []
        seen = []
        place = nil
        passed = nil
        waiting = []
        taken = []
        await hub.begin(next)
    }

    /// The next unfinished transaction that the listener hasn't received.
    private func unfinished(_ agent: Agent, _ generation: UInt64) async throws -> SignedRow? {
        while passed != generation {
            if place == nil {
                seen = []
                passing = generation
            }
            let page = try await agent.unfinishedSignedTransactions(before: place, includesFree: false)
            for (entry, row) in page.rows {
                seen.insert(row.transactionIdentifier)
                guard !received.contains(row.transactionIdentifier),
                    !hub.isReturned(row.transactionIdentifier, of: entry, agent)
                else { continue }
                received.insert(row.transactionIdentifier)
                // A purchase may have returned the transaction, and the app finished it, since the page was read.
                do {
                    if try await agent.isUnfinished(entry) { return row }
                    received.remove(row.transactionIdentifier)
                } catch {
                    received.remove(row.transactionIdentifier)
                    throw error
                }
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
    ///
    /// A row is read again when it is taken: since the batch was read, the
    /// purchase may have been refunded, or another customer signed in.
    private func news(_ agent: Agent) async throws -> SignedRow? {
        while true {
            guard let next = waiting.isEmpty ? nil : waiting.removeFirst() else {
                guard try await readNews(agent) else { return nil }
                continue
            }
            let number = next.version.change
            taken.insert(number)
            defer { taken.remove(number) }
            do {
                try await acknowledge(number - 1, agent)
                if let row = try await agent.signedNews(next.version, after: next.after) { return row }
            } catch {
                if self.agent === agent { waiting.insert(next, at: 0) }
                throw error
            }
        }
    }

    /// Reads the next batch of changes.
    ///
    /// - Returns: `false` after the last one.
    private func readNews(_ agent: Agent) async throws -> Bool {
        let before = change
        try await acknowledge(before, agent)
        let (news, last, isWhole) = try await agent.signedNews(after: before)
        // Another call for this listener has read the batch.
        guard self.agent === agent, change == before, waiting.isEmpty else { return true }
        (waiting, change) = (news.map { ($0.version, before) }, last)
        guard waiting.isEmpty, isWhole else { return true }
        try await acknowledge(last, agent)
        return false
    }

    private func acknowledge(_ change: Int64, _ agent: Agent) async throws {
        let change = min(change, (taken.min() ?? .max) - 1)
        let all = hub.processed(change, of: agent, by: ObjectIdentifier(self))
        guard all > acknowledged else { return }
        try await agent.deliveredSignedTransactions(upTo: all)
        acknowledged = all
    }
}
