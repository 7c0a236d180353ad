// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension SigningAuthority {
    /// Whether other processes can change this authority, and only
    /// ``refresh(now:)`` finds their changes: whether it is stored in a
    /// database. The changes of a directory are found at each use.
    package var needsRefreshing: Bool { state.needsRefreshing }

    /// The age in seconds at which ``refreshIfStale(now:)`` reads again.
    package static let staleAge: TimeInterval = 10

    /// Reads leaves and revocations again if another process has changed
    /// them. It compares one number, and does nothing if the authority
    /// doesn't need it.
    ///
    /// - Throws: ``AppReceiptError``, or an error of the storage.
    package func refresh(now: Date) async throws {
        try await state.refresh(now: now)
    }

    /// Reads leaves and revocations again if they were last compared more
    /// than ``staleAge`` seconds ago. A process that calls this before each
    /// use, and ``refresh(now:)`` more often than that, neither waits for the
    /// storage nor uses a replaced leaf for longer.
    ///
    /// - Throws: ``AppReceiptError``, or an error of the storage.
    package func refreshIfStale(now: Date) async throws {
        guard needsRefreshing else { return }
        // A clock that was set back makes the age negative.
        if let checked = state.checked, (0...Self.staleAge).contains(now.timeIntervalSince(checked)) { return }
        try await refresh(now: now)
    }
}
