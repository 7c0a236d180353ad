// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreDatabase

/// Synchronizes the journal with the store: sends the journal's open requests
/// and saves the answers and events.
///
/// A file lock ensures that one process of an app at a time does so.
struct StoreSynchronizer: Sendable {
    let system: any AgentSystem
    let folder: AgentFolder
    let configuration: AgentConfiguration
    let journal: Journal
    let store: StoreClient
    let receipts: ReceiptKeeper
    let cache: CacheFolder
    let files: any FileSystem
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
    /// Called after the progress of a download was saved, which is no work for
    /// the synchronizer.
    let progressed: @Sendable () -> Void
    let transfers = RunningTransfers()
    /// The slots of transfers from sellers' servers.
    let slots = TransferSlots(BackgroundFileWork.limit)
    let pausedFinishes = PausedFinishes()

    /// Waits for the lock, and then synchronizes until the task is cancelled,
    /// or until a newer version has changed the journal.
    ///
    /// - Throws: `CancellationError`, ``AgentError`` with the code
    ///   `journalVersion`. The lock is released.
    func run() async throws {
        let lock = try await acquireLock()
        defer { lock.release() }
        try await checkVersion()
        // The previous synchronizer may have died between a change and its
        // wake-ups.
        changed()
        let wakeUps = signals.open()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await listen() }
            var schedule = WorkSchedule()
            for await _ in wakeUps {
                let batch = signals.take()
                schedule.record(ended: batch.ended, notified: batch.requests)
                do {
                    let running = transfers.runs
                    let work = try await unfinishedWork()
                    transfers.stop(running, allBut: DownloadWork.transfers(in: work))
                    for sheet in batch.sheets where signals.mayShow(sheet) {
                        group.addTask { await present(sheet) }
                    }
                    for piece in schedule.start(work, repeatsAll: batch.asksAll) {
                        group.addTask {
                            await perform(piece)
                            signals.post { $0.ended.append(piece.id) }
                        }
                    }
                } catch let error as AgentError where error.code == .journalVersion {
                    throw error
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

    /// A journal that can't be read is read again in the first round.
    private func checkVersion() async throws {
        do {
            try await journal.database.read { try Journal.checkVersion($0) }
        } catch is DatabaseError {}
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
                if !hasFailed {
                    logger.error(
                        "Purchases wait, because the synchronizer's lock can't be acquired: \(error) Trying again.")
                }
                hasFailed = true
                try await clock.sleep(for: backoff.next())
            }
        }
    }

    /// The kinds of background work, in the order in which a round starts
    /// them.
    private var kinds: [any BackgroundWork] {
        [
            ReceiptWork(synchronizer: self), KeyValueWork(synchronizer: self), PaymentWork(synchronizer: self),
            FinishWork(synchronizer: self), AppRequestWork(synchronizer: self), DownloadWork(synchronizer: self),
            BackgroundFileWork(synchronizer: self), SignedWork(synchronizer: self),
        ]
    }

    private func unfinishedWork() async throws -> [WorkPiece] {
        let pieces = try await journal.database.read { [kinds] connection in
            try Journal.checkVersion(connection)
            return try kinds.flatMap { try $0.pieces(connection) }
        }
        return pieces.filter { $0.process.map(isAlive) ?? true }
    }

    private func perform(_ piece: WorkPiece) async {
        do {
            try await piece.work.perform(piece.name)
        } catch is CancellationError {
            // The next synchronizer continues from the journal.
        } catch {
            logger.error("The journal can't be written: \(error). Trying again.")
            try? await clock.sleep(for: .seconds(1))
            // The work may have been started by a notification, which the
            // store doesn't repeat.
            signals.post { $0.requests.insert(piece.name) }
        }
    }
}
