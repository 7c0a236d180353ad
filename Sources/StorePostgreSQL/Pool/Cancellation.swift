// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The wish that a read should stop, which may come at any time.
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

    /// Stops the read if it is running, and keeps it from beginning.
    func cancel() {
        state.withLock { state in
            if case .running(let canceller) = state { canceller.cancel() }
            state = .cancelled
        }
    }

    /// Tells on which connection the read runs; `false` when it needn't.
    func begin(_ canceller: Canceller) -> Bool {
        state.withLock { state in
            if case .cancelled = state { return false }
            state = .running(canceller)
            return true
        }
    }

    /// Tells that the read has ended; `false` when a wish to stop it is on
    /// its way, and might hit the connection's next statement.
    func end() -> Bool {
        state.withLock { state in
            if case .cancelled = state { return false }
            state = .waiting
            return true
        }
    }
}
