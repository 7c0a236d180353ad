// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import Logging
internal import StoreDatabase

/// Tells this process's observers what the journal says, in order, one
/// round at a time.
///
/// A round begins after anything that may have changed the journal, in this
/// process or another; it compares what was told with what is true.
final class Delivery: @unchecked Sendable {  // because all that changes is touched on `queue` only
    typealias Handler = @Sendable ([AgentUpdate]) -> Void
    typealias Waiter = @Sendable (Result<Void, AgentFailure>) -> Void

    private let queue: DispatchQueue
    private let journal: Journal
    private let presence: ProcessPresence
    private let faults: FaultPoints
    private let logger: Logger

    private var handler: Handler?
    private var shown = Shown()
    private var waiters: [String: Waiter] = [:]
    private var isClosed = false

    init(queue: DispatchQueue, journal: Journal, presence: ProcessPresence, faults: FaultPoints, logger: Logger) {
        self.queue = queue
        self.journal = journal
        self.presence = presence
        self.faults = faults
        self.logger = logger
    }

    /// Begins to tell; every handler but the first replaces the one before.
    ///
    /// When this returns, the other processes know that this one observes, so
    /// that they leave it what it asks for from now on.
    func observe(_ handler: @escaping Handler) {
        do {
            try journal.observe(presence.identifier)
            queue.async { [self] in
                guard !isClosed else { return }
                self.handler = handler
                round()
            }
        } catch {
            failed(error) { [self] in observe(handler) }
        }
    }

    /// Has another look at the journal.
    func look() {
        queue.async { [self] in round() }
    }

    /// Has another look after the app has finished a transaction.
    func finished(_ transaction: AgentTransaction) {
        queue.async { [self] in
            shown.know(transaction)
            round()
        }
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
            isClosed = true
            handler = nil
        }
    }

    private func round() {
        guard !isClosed else { return }
        do {
            let view = try journal.view(for: presence.identifier)
            try answerWaiters(view.errands)
            if let handler { try tell(handler, view) }
        } catch {
            failed(error) { [self] in look() }
        }
    }

    private func tell(_ handler: Handler, _ view: Journal.View) throws {
        let claim = Claim(process: presence.identifier, observers: Set(view.observers.filter(presence.isAlive)))
        let free = view.entries.filter { $0.shown != nil && !claim.holds($0) && claim.mayTake($0) }
        let taken = free.isEmpty ? [] : try journal.take(free.map(\.identifier), claim: claim)
        let held = (view.entries.filter(claim.holds) + taken).sorted { $0.sequence < $1.sequence }

        let updates = shown.updates(for: held, process: presence.identifier)
        if !updates.isEmpty {
            let isDecisive = updates.contains { $0.isDecisive }
            if isDecisive { faults.before(.tell) }
            handler(updates)
            shown.told(updates)
            if isDecisive { faults.after(.tell) }
        }
        try tellRestores(handler, view)
    }

    /// A restore ends after all that it brought was told.
    private func tellRestores(_ handler: Handler, _ view: Journal.View) throws {
        let unready = Set(view.entries.filter { $0.phase == .arrived }.compactMap(\.restore))
        for errand in view.errands where errand.kind == .restore && !errand.isOpen {
            if errand.phase == .done, unready.contains(errand.identifier) { continue }
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

    /// A journal that can't be read now (locked, its disk full) is read later.
    private func failed(_ error: any Error, again: @escaping @Sendable () -> Void) {
        logger.error("The journal can't be used: \(error). Trying again.")
        queue.asyncAfter(deadline: .now() + .seconds(1), execute: again)
    }
}

extension AgentUpdate {
    /// Whether it tells of something decided.
    fileprivate var isDecisive: Bool {
        guard case .updated(let transactions) = self else { return false }
        return transactions.contains { $0.state != .purchasing && $0.state != .deferred }
    }
}
