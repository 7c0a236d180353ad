// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The agent of one app in the daemon.
final class DaemonAgent: Sendable {
    let app: DaemonApp
    private let agent: Agent
    private let stopped = Completion()
    private let ended = Completion()

    init(_ app: DaemonApp, _ agent: Agent) {
        self.app = app
        self.agent = agent
    }

    /// Synchronizes the app until it is stopped or the task is cancelled.
    ///
    /// - Throws: ``AgentError`` with the code `journalVersion`, after the app's
    ///   lock was released.
    func run() async throws {
        defer { ended.decide(.success(())) }
        defer { agent.close() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [agent] in
                do { try await agent.run() } catch is CancellationError {}
            }
            group.addTask { [stopped] in try? await stopped.wait() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Shows open sheets again, in the process that connects next.
    func showSheetsAgain() {
        agent.synchronizer.signals.forgetShownSheets()
    }

    /// Stops the agent, and returns when it has released the app's lock.
    func stop() async {
        stopped.decide(.success(()))
        try? await ended.wait()
    }
}
