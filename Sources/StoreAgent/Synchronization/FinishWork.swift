// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreDatabase
import Synchronization

/// Sends each finish to the store until the store confirms it.
struct FinishWork: BackgroundWork {
    static let name = "finish"
    let synchronizer: StoreSynchronizer

    func pieces(_ connection: any Connection) throws -> [WorkPiece] {
        try JournalEntry.load(connection, in: [.finished]).map { WorkPiece(work: self, name: $0.identifier) }
    }

    func perform(_ entry: String) async throws {
        try await synchronizer.confirm(entry)
    }
}

extension StoreSynchronizer {
    /// Sends a finish to the store until it is confirmed.
    fileprivate func confirm(_ identifier: String) async throws {
        var backoff = Backoff(random)
        while let entry = try await journal.entry(identifier),
            entry.phase == .finished
        {
            do {
                return try await sendFinish(of: entry)
            } catch {
                try Task.checkCancellation()
                backoff.heed(error)
                logger.info("The store hasn't confirmed a finish yet: \(error)")
            }
            pausedFinishes.set(identifier, isPaused: backoff.isAsked)
            defer { pausedFinishes.set(identifier, isPaused: false) }
            try await clock.sleep(for: backoff.next())
        }
    }

    /// Sends the finishes that the store hasn't confirmed, each of them once
    /// and beside ``FinishWork``: repeating a finish has no effect.
    ///
    /// A finish that the store refuses stays with ``FinishWork``, and so does
    /// one that the store has asked to repeat later.
    ///
    /// - Throws: `ConnectionFailure`; `StoreFailure` when the store asks for a
    ///   pause, and gets nothing more before it; `CancellationError`,
    ///   `DatabaseError`.
    func sendFinishes() async throws {
        for identifier in try await journal.unconfirmedFinishes() {
            // FinishWork may have been faster.
            guard !pausedFinishes.contains(identifier), let entry = try await journal.entry(identifier),
                entry.phase == .finished
            else { continue }
            do {
                try await sendFinish(of: entry)
            } catch let failure as StoreFailure where failure.retryAfter == nil {
                logger.info("The store hasn't confirmed a finish before a restore: \(failure)")
            }
        }
    }

    private func sendFinish(of entry: JournalEntry) async throws {
        guard let transaction = entry.transaction?.transactionIdentifier else { return }
        faults.before(.confirm)
        _ = try await store.call(
            FinishCall(bundleIdentifier: folder.bundleIdentifier, transactionIdentifier: transaction))
        faults.after(.confirm)
        try await journal.confirm(entry.identifier, now: clock.now)
    }
}

/// The finishes that the store has asked to repeat later.
final class PausedFinishes: Sendable {
    private let entries = Mutex<Set<String>>([])

    func contains(_ entry: String) -> Bool { entries.withLock { $0.contains(entry) } }

    func set(_ entry: String, isPaused: Bool) {
        entries.withLock { entries in
            if isPaused { entries.insert(entry) } else { entries.remove(entry) }
        }
    }
}
