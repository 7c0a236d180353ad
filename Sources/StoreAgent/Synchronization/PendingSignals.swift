// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The signals to the synchronizer, collected until its event loop reads
/// them.
final class PendingSignals: Sendable {
    struct Batch: Sendable {
        /// Requests about which the store has notified this device.
        var requests: Set<String> = []
        /// Whether all open requests have to be repeated, because
        /// notifications may have been lost.
        var asksAll = false
        /// The pieces of work that have ended.
        var ended: [WorkPiece.ID] = []
        /// Sheets that have to be shown.
        var sheets: [StoreSynchronizer.Sheet] = []
    }

    private struct State {
        var batch = Batch()
        var wakeUps: AsyncStream<Void>.Continuation?
        var shownSheets: [StoreSynchronizer.Sheet.Owner: Set<String>] = [:]
        /// The sheets that this process has shown for the daemon.
        var shownForDaemon: Set<String> = []
    }

    /// The largest number of sheets that are shown for one payment or app
    /// request. A store needs one; each further one opens another window.
    static let sheetLimit = 5

    private let state = Mutex(State())

    /// Returns a stream with an element for each wake-up; several are merged
    /// into one. The first is there already.
    func open() -> AsyncStream<Void> {
        let (stream, wakeUps) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.wakeUps = wakeUps }
        post { $0.asksAll = true }
        return stream
    }

    /// Wakes the event loop to read the journal.
    func wake() {
        post { _ in }
    }

    /// Adds signals and wakes the event loop.
    func post(_ write: (inout Batch) -> Void) {
        let wakeUps = state.withLock { state in
            write(&state.batch)
            return state.wakeUps
        }
        wakeUps?.yield()
    }

    /// Removes and returns all signals.
    func take() -> Batch {
        state.withLock { state in
            defer { state.batch = Batch() }
            return state.batch
        }
    }

    /// Whether to show a sheet: not a second time in this process, and not
    /// beyond ``sheetLimit``. A sheet that may be shown is recorded as shown.
    func mayShow(_ sheet: StoreSynchronizer.Sheet) -> Bool {
        state.withLock { state in
            guard !state.shownForDaemon.contains(sheet.address),
                state.shownSheets[sheet.owner, default: []].count < Self.sheetLimit
            else { return false }
            return state.shownSheets[sheet.owner, default: []].insert(sheet.address).inserted
        }
    }

    /// Repeats all open requests, and shows their sheets again.
    func forgetShownSheets() {
        state.withLock { $0.shownSheets = [:] }
        post { $0.asksAll = true }
    }

    /// Whether to show a sheet for the daemon: not one that this process has
    /// shown before. A sheet that may be shown is recorded as shown.
    func mayShow(forDaemon address: String) -> Bool {
        state.withLock { state in
            guard !state.shownSheets.values.contains(where: { $0.contains(address) }) else { return false }
            return state.shownForDaemon.insert(address).inserted
        }
    }
}
