// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import Synchronization

extension HookedDatabase {
    /// Runs `body`, and the other code before the statement at a place of its
    /// writes, among those that begin with a text. The other code goes on
    /// beside `body` when it waits for a lock of its transaction. Errors that
    /// refuse one of the two are ignored.
    ///
    /// - Returns: Whether the place was reached.
    func interpose(
        before prefix: String = "", at place: Int = 0, of url: String,
        _ other: @escaping @Sendable () async throws -> Void, during body: () async throws -> Void
    ) async throws -> Bool {
        let rival = Rival()
        before(prefix, at: place) {
            rival.begin(other)
            while !rival.isDone, try lockWaits(at: url) == 0 {}
        }
        do { try await body() } catch is DomainError {} catch is StoreFailure {}
        cancel()
        return try await rival.end()
    }
}

/// The code that runs beside an interrupted write.
private final class Rival: Sendable {
    private let task = Mutex<Task<Void, any Error>?>(nil)
    private let done = Mutex(false)

    var isDone: Bool { done.withLock { $0 } }

    func begin(_ code: @escaping @Sendable () async throws -> Void) {
        task.withLock {
            $0 = Task {
                defer { done.withLock { $0 = true } }
                do { try await code() } catch is DomainError {}
            }
        }
    }

    /// Waits for the code; `false` if it was never begun.
    func end() async throws -> Bool {
        guard let task = task.withLock({ $0 }) else { return false }
        try await task.value
        return true
    }
}
