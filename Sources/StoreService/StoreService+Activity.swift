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

    /// Saves a refused request of an app of the sandbox for the live page. A
    /// refusal beyond the limit of a minute isn't saved, and an error is logged:
    /// the answer of the request doesn't depend on it.
    package func report(_ subject: SandboxProblem.Subject, of app: BundleIdentifier) async {
        guard environment == .sandbox, problemLimit.take(app, at: now) else { return }
        do {
            try await ReportingProblems(context)(subject, of: app)
        } catch {
            _ = failure(of: error, at: "reporting a refusal")
        }
    }

    /// Waits until the next read of an open live page.
    ///
    /// - Throws: `CancellationError`.
    package func pauseOfLivePage(_ pause: Duration) async throws {
        try await clock.sleep(now + pause)
    }
}
