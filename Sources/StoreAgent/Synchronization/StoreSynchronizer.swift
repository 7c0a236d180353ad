// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI

/// Synchronizes the journal with the store: sends the journal's open requests
/// and saves the answers and events.
///
/// A file lock ensures that one process of an app at a time does so.
struct StoreSynchronizer: Sendable {
    /// A unit of work; each runs at most once at a time.
    enum Work: Hashable, Sendable {
        case payment(String)
        case finish(String)
        case appRequest(String)
        case receipts
        case keyValues
    }

    /// A sheet to show, and the payment or app request that it is for.
    struct Sheet: Hashable, Sendable {
        enum Owner: Hashable, Sendable {
            case entry(String)
            case appRequest(String)
        }

        var address: String
        var owner: Owner
    }

    let system: any AgentSystem
    let folder: AgentFolder
    let configuration: AgentConfiguration
    let journal: Journal
    let store: StoreClient
    let receipts: ReceiptKeeper
    let restrictions: DeviceRestrictions
    let presenter: any SheetPresenter
    let signals: PendingSignals
    let clock: AgentClock
    let random: AgentRandom
    let faults: FaultPoints
    let logger: Logger
    /// The last sequence number that was used before this process began.
    let since: Int64
    /// Whether a process is alive, so that its app requests are run.
    let isAlive: @Sendable (String) -> Bool
    /// Called after the journal has changed.
    let changed: @Sendable () -> Void

    /// Waits for the lock, and then synchronizes until the task is cancelled.
    ///
    /// - Throws: `CancellationError`.
    func run() async throws {
        let lock = try await acquireLock()
        defer { lock.release() }
        // The previous synchronizer may have died between a change and its
        // wake-ups.
        changed()
        let wakeUps = signals.open()
        await withDiscardingTaskGroup { group in
            group.addTask { await listen() }
            var running: Set<Work> = []
            var asked: Set<String> = []
            for await _ in wakeUps {
                let batch = signals.take()
                running.subtract(batch.done)
                asked.formUnion(batch.requests)
                do {
                    var workload = try await journal.workload()
                    workload.appRequests.removeAll { !$0.isOpen || !isAlive($0.process) }
                    if batch.asksAll { asked.formUnion(workload.open) }
                    let todo = workload.work(asked: asked).filter { !running.contains($0) }
                    for sheet in batch.sheets where signals.mayShow(sheet) {
                        group.addTask { await present(sheet) }
                    }
                    for work in todo {
                        if case .payment(let name) = work { asked.remove(name) }
                        if case .appRequest(let name) = work { asked.remove(name) }
                        running.insert(work)
                        group.addTask {
                            await perform(work)
                            signals.post { $0.done.append(work) }
                        }
                    }
                    // Requests that are no longer open need no repeat.
                    asked.formIntersection(workload.open)
                } catch {
                    logger.error("The journal can't be read: \(error). Trying again.")
                    group.addTask {
                        try? await clock.sleep(for: .seconds(1))
                        signals.post { kept in
                            kept.asksAll = kept.asksAll || batch.asksAll
                            kept.sheets += batch.sheets
                        }
                    }
                }
            }
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    /// Acquires the lock. Repeats when the lock file can't be opened, for
    /// example because the disk is full.
    private func acquireLock() async throws -> any HeldLock {
        var backoff = Backoff(random)
        var hasFailed = false
        while true {
            do {
                return try await system.acquireLock(folder.synchronizerLock)
            } catch let error as AgentError {
                if !hasFailed { logger.error("Purchases wait, nobody can talk to the store: \(error) Trying again.") }
                hasFailed = true
                try await clock.sleep(for: backoff.next())
            }
        }
    }

    private func perform(_ work: Work) async {
        do {
            switch work {
            case .payment(let entry): try await pay(entry)
            case .finish(let entry): try await confirm(entry)
            case .appRequest(let appRequest): try await run(appRequest)
            case .receipts: try await fetchReceipts()
            case .keyValues: try await synchronizeKeyValues()
            }
        } catch is CancellationError {
            // The next synchronizer continues from the journal.
        } catch {
            logger.error("The journal can't be written: \(error). Trying again.")
            try? await clock.sleep(for: .seconds(1))
            // The work may have been started by a notification, which the
            // store doesn't repeat.
            switch work {
            case .payment(let name), .appRequest(let name): signals.post { $0.requests.insert(name) }
            case .finish, .receipts, .keyValues: break
            }
        }
    }
}

extension Journal.Workload {
    /// The identifiers of all requests that have no final answer yet.
    var open: Set<String> {
        Set(entries.filter(\.isOpen).map(\.identifier) + appRequests.filter(\.isOpen).map(\.identifier))
    }

    /// The work to do when the requests in `asked` have to be repeated:
    /// receipts, key-value pairs, entries, then app requests.
    func work(asked: Set<String>) -> [StoreSynchronizer.Work] {
        var work: [StoreSynchronizer.Work] = needsReceipts ? [.receipts] : []
        if needsKeyValues { work.append(.keyValues) }
        for entry in entries {
            switch entry.phase {
            case .added, .sending: work.append(.payment(entry.identifier))
            case .waiting, .deferred: if asked.contains(entry.identifier) { work.append(.payment(entry.identifier)) }
            case .finished: work.append(.finish(entry.identifier))
            case .arrived, .ready, .away, .returning, .failed, .confirmed: break
            }
        }
        for appRequest in appRequests where appRequest.isOpen {
            if appRequest.phase != .waiting || asked.contains(appRequest.identifier) {
                work.append(.appRequest(appRequest.identifier))
            }
        }
        return work
    }
}
