// SPDX-License-Identifier: Apache-2.0

import Logging
import StoreAPI
import StoreDatabase
import Synchronization

/// Delivers the changes of the journal to this process's subscribers.
///
/// After each possible change of the journal, by this process or another, a
/// round compares the journal with the updates that each subscriber has
/// received, and delivers the difference. Rounds run on a serial queue.
final class Delivery: @unchecked Sendable {  // because mutable state is locked or accessed on `queue` only
    /// The largest number of changed entries in one round. It bounds the wait
    /// for the first update when the queue is long.
    static let batch = 200

    let queue: any WorkQueue
    let journal: Journal
    let presence: any ProcessPresence
    let signals: PendingSignals
    let unwritten: UnwrittenFinishes
    private let cache: CacheFolder
    private let files: any FileSystem
    private let faults: FaultPoints
    private let logger: Logger
    /// The handlers that the app has set last. The lock is held while the
    /// journal records whether this process observes, so that the journal and
    /// this value agree.
    let wanted = Mutex<[Agent.Subscriber: UpdateRecipient.Handler]>([:])
    /// Whether a scheduled round hasn't begun yet. Another one isn't
    /// scheduled then: a store may send events faster than rounds run.
    private let isLookWaiting = Mutex(false)

    /// The subscribers so far. The payment queue is one from the start: an app
    /// may finish a transaction of the queue before it adds an observer, and
    /// the first observer receives the removal.
    var recipients = [UpdateRecipient(.paymentQueue)]
    /// Posted after each round, when the journal may have changed.
    let changes = ChangeSignal()
    /// The transactions that a purchase of StoreKit 2 has returned in this
    /// process and that the app hasn't finished.
    let returned = ReturnedTransactions()
    /// The payments of StoreKit 2 that no task waits for any more.
    let abandoned = AbandonedPayments()
    var waiters = AppRequestWaiters()
    var keyValues: KeyValueDelivery
    var backgroundFiles = BackgroundFileDelivery()
    /// The number of observers of background files so far.
    let backgroundObservers = Mutex(0)
    private var storefront: KnownStorefront
    /// The living processes of the queue in the last round.
    private var claim: Claim?
    /// The price increases that this process has delivered and that still
    /// wait.
    private var askedIncreases: Set<String> = []
    private(set) var isClosed = false
    /// Whether the next periodic round is scheduled.
    private var isLooking = false

    init(
        queue: any WorkQueue, journal: Journal, presence: any ProcessPresence, signals: PendingSignals,
        unwritten: UnwrittenFinishes, cache: CacheFolder, files: any FileSystem, faults: FaultPoints, logger: Logger,
        storefront: StorefrontInfo?, keyValueChange: Int64
    ) {
        self.queue = queue
        self.journal = journal
        self.presence = presence
        self.signals = signals
        self.unwritten = unwritten
        self.cache = cache
        self.files = files
        self.faults = faults
        self.logger = logger
        self.storefront = KnownStorefront(storefront)
        keyValues = KeyValueDelivery(after: keyValueChange)
    }

    /// Schedules a round, unless one is scheduled already. A round reads all
    /// that was written before it begins.
    func look() {
        let isWaiting = isLookWaiting.withLock { isWaiting in
            defer { isWaiting = true }
            return isWaiting
        }
        guard !isWaiting else { return }
        queue.async { [self] in
            isLookWaiting.withLock { $0 = false }
            round()
        }
    }

    /// Makes a last attempt to save the unwritten finishes, and stops the
    /// delivery to all subscribers.
    func close() {
        queue.sync {
            writeFinishes()
            isClosed = true
            recipients = []
        }
        changes.close()
    }

    private var active: [UpdateRecipient] { recipients.filter(\.isActive) }

    /// Compares the journal with the delivered updates, on the queue.
    func round() {
        guard !isClosed else { return }
        defer { changes.post() }
        lookAgain()
        writeFinishes()
        do {
            let points = Set(active.map(\.seen))
            let view = try journal.view(for: presence.identifier, since: points, batch: Self.batch)
            try waiters.answer(view.appRequests, in: journal)
            if let change = storefront.change(to: view.storefront) { deliver(change) }
            try keyValues.deliver(from: journal)
            try backgroundFiles.deliver(from: journal, in: cache, files)
            if !points.isEmpty { try deliver(view) }
            try removeAbandonedFailures()
        } catch {
            retry(after: error) { [self] in look() }
        }
    }

    private func deliver(_ view: Journal.View) throws {
        let dead = view.processes.all.filter { !presence.isAlive($0) }
        let claim = Claim(view.processes, of: presence.identifier) { !dead.contains($0) }
        if claim != self.claim {
            self.claim = claim
            // Another process's entries may be free now. Read all entries
            // again.
            let advanced = active.filter { $0.seen.change > 0 }
            advanced.forEach { $0.readAgain() }
            guard advanced.isEmpty else { return look() }
        }
        let held = try view.changes.mapValues { try hold($0.entries, claim, dead) }
        for recipient in active {
            guard let changes = view.changes[recipient.seen], let entries = held[recipient.seen] else { continue }
            recipient.deliver(
                entries, of: changes, process: presence.identifier, faults: faults, isFinished: unwritten.contains)
            let own = Set(entries.map(\.identifier))
            recipient.deliver(
                changes.downloads.filter { $0.holder == presence.identifier || own.contains($0.entry) }, in: cache)
        }
        // Other news comes after all transactions.
        guard view.changes.values.allSatisfy(\.isWhole) else { return look() }
        try deliverRestores(view)
        if claim.isFirst {
            active.forEach { $0.deliver(view.revocations) }
            deliver(priceIncreases: view.priceIncreases)
        }
    }

    /// Takes the free entries, and returns those that this process holds,
    /// oldest first.
    private func hold(_ entries: [JournalEntry], _ claim: Claim, _ dead: Set<String>) throws -> [JournalEntry] {
        let free = entries.filter { $0.shown != nil && !claim.holds($0) && claim.mayTake($0) }
        let taken = free.isEmpty ? [] : try journal.take(free.map(\.identifier), for: claim.process, dead: dead)
        return (entries.filter(claim.holds) + taken).sorted { $0.sequence < $1.sequence }
    }

    /// Delivers the end of each restore after all its transactions.
    private func deliverRestores(_ view: Journal.View) throws {
        for appRequest in view.appRequests where appRequest.kind == .restore && !appRequest.isOpen {
            if appRequest.phase == .done, view.unready.contains(appRequest.identifier) { continue }
            try journal.removeAppRequest(appRequest.identifier)
            deliver(appRequest.failure.map { .restoreFailed($0) } ?? .restoreFinished)
        }
    }

    /// Delivers that price increases wait for the customer's consent, once in
    /// a process for each of them.
    private func deliver(priceIncreases: [String]?) {
        guard let priceIncreases, askedIncreases != Set(priceIncreases) else { return }
        let isNew = !askedIncreases.isSuperset(of: priceIncreases)
        askedIncreases = Set(priceIncreases)
        if isNew { deliver(.priceIncrease) }
    }

    /// Delivers an update to all subscribers.
    private func deliver(_ news: AgentUpdate) {
        active.forEach { $0.deliver(news) }
    }

    /// Schedules a round in a minute, even without a wake-up: a process that
    /// dies sends none, neither for the entries that it held nor for its last
    /// writes.
    private func lookAgain() {
        guard !isLooking else { return }
        isLooking = true
        queue.async(after: .seconds(60)) { [weak self] in
            guard let self else { return }
            isLooking = false
            signals.wake()
            round()
        }
    }

    /// Calls a closure after a second, when the journal is locked or its disk
    /// is full.
    func retry(after error: any Error, _ again: @escaping @Sendable () -> Void) {
        logger.error("The journal can't be used: \(error). Trying again.")
        queue.async(after: .seconds(1), again)
    }
}
