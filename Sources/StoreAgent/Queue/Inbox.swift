// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The signals to the synchronizer, collected until its event loop reads
/// them.
final class Inbox: Sendable {
    struct Letters: Sendable {
        /// Requests about which the store has notified this device.
        var requests: Set<String> = []
        /// Whether all open requests have to be repeated, because
        /// notifications may have been lost.
        var asksAll = false
        /// Work that has ended.
        var done: [Talker.Work] = []
        /// Sheets that have to be shown.
        var sheets: [Talker.Sheet] = []
    }

    private struct State {
        var letters = Letters()
        var bell: AsyncStream<Void>.Continuation?
        var shownSheets: [Talker.Sheet.Owner: Set<String>] = [:]
    }

    /// The largest number of sheets that are shown for one payment or app
    /// request. A store needs one; each further one opens another window.
    static let sheetLimit = 5

    private let state = Mutex(State())

    /// Returns a stream with an element for each wake-up; several are merged
    /// into one. The first is there already.
    func open() -> AsyncStream<Void> {
        let (stream, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.bell = bell }
        post { $0.asksAll = true }
        return stream
    }

    /// Wakes the event loop to read the journal.
    func ring() {
        post { _ in }
    }

    /// Adds signals and wakes the event loop.
    func post(_ write: (inout Letters) -> Void) {
        let bell = state.withLock { state in
            write(&state.letters)
            return state.bell
        }
        bell?.yield()
    }

    /// Removes and returns all signals.
    func take() -> Letters {
        state.withLock { state in
            defer { state.letters = Letters() }
            return state.letters
        }
    }

    /// Whether to show a sheet: not a second time in this process, and not
    /// beyond ``sheetLimit``. A sheet that may be shown is recorded as shown.
    func mayShow(_ sheet: Talker.Sheet) -> Bool {
        state.withLock { state in
            guard state.shownSheets[sheet.owner, default: []].count < Self.sheetLimit else { return false }
            return state.shownSheets[sheet.owner, default: []].insert(sheet.address).inserted
        }
    }
}
