// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The live page of the sandbox in Connect.
extension StoreService {
    /// The newest events of the sandbox in a team's apps.
    ///
    /// - Throws: The errors of `ReadingActivity`.
    package func activity(_ filter: ActivityFilter, as user: TeamUser) async throws -> [ActivityEntry] {
        try await ReadingActivity(context)(filter, as: user)
    }

    /// Waits until the next read of an open live page.
    ///
    /// - Throws: `CancellationError`.
    package func pauseOfLivePage(_ pause: Duration) async throws {
        try await clock.sleep(now + pause)
    }
}
