// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What others tell the talker, kept until it has time.
final class Inbox: Sendable {
    struct Letters: Sendable {
        /// Requests with news at the store.
        var requests: Set<String> = []
        /// Whether everything open has to be asked for again, because hints
        /// may have been lost.
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

    /// The number of sheets that are shown for one payment or errand. A store
    /// needs one; each further one opens another window.
    static let sheetLimit = 5

    private let state = Mutex(State())

    /// A stream that rings when there may be something to do, now included.
    func open() -> AsyncStream<Void> {
        let (stream, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.bell = bell }
        post { $0.asksAll = true }
        return stream
    }

    /// Says that there may be something to do.
    func ring() {
        post { _ in }
    }

    /// Leaves a letter and rings.
    func post(_ write: (inout Letters) -> Void) {
        let bell = state.withLock { state in
            write(&state.letters)
            return state.bell
        }
        bell?.yield()
    }

    /// Takes all letters out.
    func take() -> Letters {
        state.withLock { state in
            defer { state.letters = Letters() }
            return state.letters
        }
    }

    /// Whether a sheet is shown now: this process hasn't shown it before, and
    /// hasn't shown too many for the same payment or errand.
    func mayShow(_ sheet: Talker.Sheet) -> Bool {
        state.withLock { state in
            guard state.shownSheets[sheet.owner, default: []].count < Self.sheetLimit else { return false }
            return state.shownSheets[sheet.owner, default: []].insert(sheet.address).inserted
        }
    }
}
