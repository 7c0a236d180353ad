// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreCore
import StoreDatabase
import Synchronization

/// Delivers the changes of the journal to this process's observers.
///
/// After each possible change of the journal, by this process or another, a
/// round compares the journal with the updates that were delivered, and
/// delivers the difference. Rounds run on a serial queue.
final class Delivery: @unchecked Sendable {  // because mutable state is locked or accessed on `queue` only
    typealias Handler = @Sendable ([AgentUpdate]) -> Void
    /// The largest number of changed entries in one round. It bounds the wait
    /// for the first update when the queue is long.
    static let batch = 200

    typealias Waiter = @Sendable (Result<Void, PurchaseFailure>) -> Void

    private let queue: any WorkQueue
    private let journal: Journal
    private let presence: any ProcessPresence
    private let signals: PendingSignals
    private let clock: AgentClock
    private let faults: FaultPoints
    private let logger: Logger
    private let unwritten = UnwrittenFinishes()
    /// The handler that was set last. The lock is held while the journal
    /// records whether this process observes, so that the journal and this
    /// value agree.
    private let wanted = Mutex<Handler?>(nil)
    /// Whether a scheduled round hasn't begun yet. Another one isn't
    /// scheduled then: a store may send events faster than rounds run.
    private let isLookWaiting = Mutex(false)

    private var handler: Handler?
    /// The customer's last known storefront.
    private var storefront: StorefrontInfo?
    private var shown = DeliveredTransactions()
    private var seen = Journal.Seen()
    private var keyValueHandler: (@Sendable (KeyValueNews) -> Void)?
    /// The number of the last key-value change that was delivered.
    private var seenKeyValues: Int64
    /// The living processes that observed the queue in the last round.
    private var observers: Set<String> = []
    private var waiters: [String: Waiter] = [:]
    private var isClosed = false
    /// The pauses between attempts to save unwritten finishes.
    private var pauses: Backoff
    private var isPausing = false
    /// Whether the next periodic round is scheduled.
    private var isLooking = false

    init(
        queue: any WorkQueue, journal: Journal, presence: any ProcessPresence, signals: PendingSignals,
        clock: AgentClock,
        random: AgentRandom, faults: FaultPoints, logger: Logger, storefront: StorefrontInfo?,
        keyValueChange: Int64
    ) {
        self.queue = queue
        self.journal = journal
        self.presence = presence
        self.signals = signals
        self.clock = clock
        self.faults = faults
        self.logger = logger
        self.storefront = storefront
        seenKeyValues = keyValueChange
        pauses = Backoff(random)
    }

    /// Starts to deliver updates; a later handler replaces the one before.
    ///
    /// The first handler, and the first after ``stopObserving()``, receives
    /// all unfinished transactions that this process may deliver. A handler
    /// that replaces another one receives later changes only.
    ///
    /// When this returns, the journal records that this process observes, so
    /// that other processes don't take the entries that it adds. When the
    /// journal can't be written, the write is repeated after a second.
    func observe(_ handler: @escaping Handler) {
        wanted.withLock { $0 = handler }
        announce()
    }

    /// Stops the delivery of updates, and releases the entries that this
    /// process holds to other processes.
    func stopObserving() {
        wanted.withLock { $0 = nil }
        queue.async { [self] in
            handler = nil
            shown.forgetTold()
            seen = Journal.Seen()
            release()
        }
    }

    private func announce() {
        do {
            try wanted.withLock { handler in
                guard let handler else { return }
                try journal.observe(presence.identifier)
                queue.async { [self] in
                    guard !isClosed else { return }
                    self.handler = handler
                    seen = Journal.Seen()
                    round()
                }
            }
        } catch {
            failed(error) { [self] in announce() }
        }
    }

    private func release() {
        do {
            let isReleased = try wanted.withLock { handler in
                guard handler == nil, !isClosed else { return false }
                try journal.stopObserving(presence.identifier)
                return true
            }
            if isReleased { presence.wakeOthers() }
        } catch {
            failed(error) { [self] in release() }
        }
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

    /// Schedules a round after the app has finished a transaction.
    func finished(_ transaction: AgentTransaction) {
        queue.async { [self] in
            shown.know(transaction)
            round()
        }
    }

    /// Keeps in memory a finish that couldn't be saved, and repeats the write
    /// until it succeeds.
    func finishLater(_ identifier: AgentTransaction.ID, _ delivered: AgentTransaction.Delivered?, _ error: any Error) {
        if unwritten.keep(identifier, delivered) {
            logger.error("A finish can't be written down: \(error). Trying again until it can.")
        }
        look()
    }

    /// Whether the app has finished an entry, and the journal couldn't save
    /// that yet.
    func isFinished(_ identifier: AgentTransaction.ID) -> Bool {
        unwritten.contains(identifier)
    }

    /// Calls a closure when an app request has ended.
    func wait(for appRequest: String, _ waiter: @escaping Waiter) {
        queue.async { [self] in
            waiters[appRequest] = waiter
            round()
        }
    }

    /// Removes the closure and, if it wasn't called, the app request.
    func forget(_ appRequest: String) {
        queue.async { [self] in
            guard waiters.removeValue(forKey: appRequest) != nil else { return }
            try? journal.removeAppRequest(appRequest)
        }
    }

    func close() {
        queue.sync {
            writeFinishes()
            isClosed = true
            handler = nil
        }
    }

    private func round() {
        guard !isClosed else { return }
        lookAgain()
        writeFinishes()
        do {
            let view = try journal.view(for: presence.identifier, since: seen, batch: Self.batch)
            try answerWaiters(view.appRequests)
            tellStorefront(view.storefront)
            try tellKeyValues()
            if let handler { try tell(handler, view) }
        } catch {
            failed(error) { [self] in look() }
        }
    }

    private func tell(_ handler: Handler, _ view: Journal.View) throws {
        let dead = Set(view.observers).filter { !presence.isAlive($0) }
        let claim = Claim(process: presence.identifier, observers: Set(view.observers).subtracting(dead))
        guard claim.observers == observers else {
            // Another process's entries may be free now. Read all entries
            // again.
            observers = claim.observers
            if seen.change > 0 {
                seen.change = 0
                return look()
            }
            return try tell(handler, view)
        }
        let free = view.entries.filter { $0.shown != nil && !claim.holds($0) && claim.mayTake($0) }
        let taken = free.isEmpty ? [] : try journal.take(free.map(\.identifier), for: claim.process, dead: dead)
        let held = (view.entries.filter(claim.holds) + taken).sorted { $0.sequence < $1.sequence }

        let updates = shown.updates(
            for: held, of: view, process: presence.identifier, isFinished: unwritten.contains)
        if !updates.isEmpty {
            let isDecisive = updates.contains { $0.isDecisive }
            if isDecisive { faults.before(.tell) }
            handler(updates)
            shown.told(updates)
            if isDecisive { faults.after(.tell) }
        }
        seen = view.seen
        guard view.isWhole else { return look() }
        try tellRestores(handler, view)
        if !view.revocations.isEmpty {
            // Deleted after the delivery: when the process ends in between,
            // the revocation is delivered again, not lost.
            handler([.revoked(view.revocations.map(\.product))])
            try journal.forget(view.revocations)
        }
    }

    func observeKeyValues(_ handler: @escaping @Sendable (KeyValueNews) -> Void) {
        queue.async { [self] in
            let isFirst = keyValueHandler == nil
            keyValueHandler = handler
            if isFirst { round() }
        }
    }

    private func tellKeyValues() throws {
        guard let keyValueHandler else { return }
        let (news, last) = try journal.keyValueNews(after: seenKeyValues)
        seenKeyValues = last
        news.forEach(keyValueHandler)
    }

    private func tellStorefront(_ now: StorefrontInfo?) {
        guard let now, now != storefront else { return }
        let before = storefront
        storefront = now
        if let before { handler?([.storefrontChanged(now, before: before)]) }
    }

    /// Delivers the end of each restore after all its transactions.
    private func tellRestores(_ handler: Handler, _ view: Journal.View) throws {
        for appRequest in view.appRequests where appRequest.kind == .restore && !appRequest.isOpen {
            if appRequest.phase == .done, view.unready.contains(appRequest.identifier) { continue }
            try journal.removeAppRequest(appRequest.identifier)
            handler([appRequest.failure.map { .restoreFailed($0) } ?? .restoreFinished])
        }
    }

    private func answerWaiters(_ appRequests: [AppRequest]) throws {
        for appRequest in appRequests where appRequest.kind == .refresh && !appRequest.isOpen {
            guard let waiter = waiters.removeValue(forKey: appRequest.identifier) else { continue }
            waiter(appRequest.failure.map { .failure($0) } ?? .success(()))
            try journal.removeAppRequest(appRequest.identifier)
        }
    }

    /// Saves the finishes that couldn't be saved before, or schedules the
    /// next attempt after a pause.
    private func writeFinishes() {
        var isChanged = false
        attempts: for (identifier, delivered) in unwritten.all.sorted(by: { $0.key < $1.key }) {
            do {
                let finished = try journal.finish(identifier, delivered: delivered, now: clock.now)
                if let transaction = finished.transaction { shown.know(transaction) }
                isChanged = true
            } catch let error as AgentError {
                logger.error("A finish is refused: \(error)")
                seen = Journal.Seen()
            } catch {
                pause()
                break attempts
            }
            unwritten.remove(identifier)
        }
        guard isChanged else { return }
        pauses.reset()
        signals.wake()
        presence.wakeOthers()
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

    private func pause() {
        guard !isPausing else { return }
        isPausing = true
        queue.async(after: pauses.next()) { [self] in
            isPausing = false
            round()
        }
    }

    /// Calls a closure again after a second, when the journal is locked or
    /// its disk is full.
    private func failed(_ error: any Error, again: @escaping @Sendable () -> Void) {
        logger.error("The journal can't be used: \(error). Trying again.")
        queue.async(after: .seconds(1), again)
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
