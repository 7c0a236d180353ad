// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Logging
internal import StoreAPI
internal import StoreDatabase
internal import Synchronization

/// Tells this process's observers what the journal says, in order, one
/// round at a time.
///
/// A round begins after anything that may have changed the journal, in this
/// process or another; it compares what was told with what is true.
final class Delivery: @unchecked Sendable {  // because all that changes is locked, or touched on `queue` only
    typealias Handler = @Sendable ([AgentUpdate]) -> Void
    /// How many changes a round tells of: the first come at once, however long
    /// the queue is.
    static let batch = 200

    typealias Waiter = @Sendable (Result<Void, AgentFailure>) -> Void

    private let queue: any WorkQueue
    private let journal: Journal
    private let presence: any ProcessPresence
    private let inbox: Inbox
    private let clock: AgentClock
    private let faults: FaultPoints
    private let logger: Logger
    private let unwritten = UnwrittenFinishes()
    /// Who is to be told, as said last. It is held while the journal is told
    /// whether this process observes, so that the last word wins there too.
    private let wanted = Mutex<Handler?>(nil)
    /// Whether a look is on its way: a store may send events faster than a
    /// look takes.
    private let isLookWaiting = Mutex(false)

    private var handler: Handler?
    /// Where the customer shops, as far as this process knows.
    private var storefront: StorefrontInfo?
    private var shown = Shown()
    private var seen = Journal.Seen()
    private var keyValueHandler: (@Sendable (KeyValueNews) -> Void)?
    /// The last change of a value that this process knows of.
    private var seenKeyValues: Int64
    /// The living processes that observed when this one looked last.
    private var observers: Set<String> = []
    private var waiters: [String: Waiter] = [:]
    private var isClosed = false
    /// The pauses between attempts to write finishes down.
    private var pauses: Backoff
    private var isPausing = false
    /// Whether the next look without a reason is on its way.
    private var isLooking = false

    init(
        queue: any WorkQueue, journal: Journal, presence: any ProcessPresence, inbox: Inbox, clock: AgentClock,
        random: AgentRandom, faults: FaultPoints, logger: Logger, storefront: StorefrontInfo?,
        keyValueChange: Int64
    ) {
        self.queue = queue
        self.journal = journal
        self.presence = presence
        self.inbox = inbox
        self.clock = clock
        self.faults = faults
        self.logger = logger
        self.storefront = storefront
        seenKeyValues = keyValueChange
        pauses = Backoff(random)
    }

    /// Begins to tell, with everything unfinished; every handler but the first
    /// replaces the one before.
    ///
    /// When this returns, the other processes know that this one observes, so
    /// that they leave it what it asks for from now on.
    func observe(_ handler: @escaping Handler) {
        wanted.withLock { $0 = handler }
        announce()
    }

    /// Tells nobody any more: what this process shows is another's to show.
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

    /// Has another look at the journal. One that waits already sees all that
    /// was written before it begins.
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

    /// Has another look after the app has finished a transaction.
    func finished(_ transaction: AgentTransaction) {
        queue.async { [self] in
            shown.know(transaction)
            round()
        }
    }

    /// Keeps a finish that the journal couldn't take, and writes it down as
    /// soon as that is possible.
    func finishLater(_ identifier: AgentTransaction.ID, _ delivered: AgentTransaction.Delivered?, _ error: any Error) {
        if unwritten.keep(identifier, delivered) {
            logger.error("A finish can't be written down: \(error). Trying again until it can.")
        }
        look()
    }

    /// Whether the app has finished an entry that the journal holds still.
    func isFinished(_ identifier: AgentTransaction.ID) -> Bool {
        unwritten.contains(identifier)
    }

    /// Waits for the end of an errand.
    func wait(for errand: String, _ waiter: @escaping Waiter) {
        queue.async { [self] in
            waiters[errand] = waiter
            round()
        }
    }

    /// Waits no longer.
    func forget(_ errand: String) {
        queue.async { [self] in
            guard waiters.removeValue(forKey: errand) != nil else { return }
            try? journal.removeErrand(errand)
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
            try answerWaiters(view.errands)
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
            // What another process held may be free now: look at all of it.
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
            // Told first and forgotten then: a process that dies in between
            // tells it twice.
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

    /// A restore ends after all that it brought was told.
    private func tellRestores(_ handler: Handler, _ view: Journal.View) throws {
        for errand in view.errands where errand.kind == .restore && !errand.isOpen {
            if errand.phase == .done, view.unready.contains(errand.identifier) { continue }
            try journal.removeErrand(errand.identifier)
            handler([errand.failure.map { .restoreFailed($0) } ?? .restoreFinished])
        }
    }

    private func answerWaiters(_ errands: [Errand]) throws {
        for errand in errands where errand.kind == .refresh && !errand.isOpen {
            guard let waiter = waiters.removeValue(forKey: errand.identifier) else { continue }
            waiter(errand.failure.map { .failure($0) } ?? .success(()))
            try journal.removeErrand(errand.identifier)
        }
    }

    /// Writes the finishes down that couldn't be before, or has a pause and
    /// tries again.
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
        inbox.ring()
        presence.wakeOthers()
    }

    /// Has a look without a reason in a minute: who dies tells nobody, neither
    /// of what it has shown nor of what it has just written down.
    private func lookAgain() {
        guard !isLooking else { return }
        isLooking = true
        queue.async(after: .seconds(60)) { [weak self] in
            guard let self else { return }
            isLooking = false
            inbox.ring()
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

    /// A journal that can't be read now (locked, its disk full) is read later.
    private func failed(_ error: any Error, again: @escaping @Sendable () -> Void) {
        logger.error("The journal can't be used: \(error). Trying again.")
        queue.async(after: .seconds(1), again)
    }
}

extension AgentUpdate {
    /// Whether it tells of something decided.
    fileprivate var isDecisive: Bool {
        guard case .updated(let transactions) = self else { return false }
        return transactions.contains { $0.state != .purchasing && $0.state != .deferred }
    }
}
