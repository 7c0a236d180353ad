// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The cancellation of a read, which may be requested at any time.
final class Cancellation: Sendable {
    private enum State {
        case waiting
        case running(Canceller)
        case cancelled
    }

    private let state = Mutex(State.waiting)

    var isCancelled: Bool {
        state.withLock { if case .cancelled = $0 { true } else { false } }
    }

    /// Cancels the read if it runs, and prevents it from starting.
    func cancel() {
        state.withLock { state in
            if case .running(let canceller) = state { canceller.cancel() }
            state = .cancelled
        }
    }

    /// Records on which connection the read runs; `false` after a
    /// cancellation.
    func begin(_ canceller: Canceller) -> Bool {
        state.withLock { state in
            if case .cancelled = state { return false }
            state = .running(canceller)
            return true
        }
    }

    /// Records that the read has ended; `false` after a cancellation, whose
    /// request might still cancel the connection's next statement.
    func end() -> Bool {
        state.withLock { state in
            if case .cancelled = state { return false }
            state = .waiting
            return true
        }
    }
}
