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
        var shownSheets: Set<String> = []
    }

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

    /// Whether a sheet hasn't been shown by this process before.
    func isFirstShowing(of sheet: String) -> Bool {
        state.withLock { $0.shownSheets.insert(sheet).inserted }
    }
}
