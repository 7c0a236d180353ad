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
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [agent] in try? await agent.run() }
            group.addTask { [stopped] in try? await stopped.wait() }
            await group.next()
            group.cancelAll()
        }
        agent.close()
        ended.decide(.success(()))
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
