// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The way from an agent to the user's daemon.
package protocol DaemonDoor: Sendable {
    /// Asks the daemon to synchronize an app. It doesn't throw: without an
    /// answer, the agent synchronizes.
    func ask(_ app: DaemonApp) async -> DaemonAnswer
}

/// The daemon's answer to an agent.
package enum DaemonAnswer: Sendable {
    /// No daemon runs.
    case absent
    case refused(DaemonRefusal)
    /// The daemon synchronizes the app as long as it lives.
    case accepted(any DaemonLink)
}

/// The connection of an app's process to the daemon that synchronizes the app.
package protocol DaemonLink: Sendable {
    /// Shows the sheets that the daemon passes on, until the daemon ends or
    /// the task is cancelled.
    func follow(_ present: @escaping @Sendable (_ address: String) async throws -> Void) async

    /// Ends the connection. Closing twice is allowed.
    func close()
}

extension AgentSystem {
    package var startsDownloads: Bool { false }

    /// A system without a daemon.
    package func daemon(of home: URL, _ clock: AgentClock) -> (any DaemonDoor)? { nil }
}
