// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The daemon of a device, as another program sees it.
package struct DeviceDaemon: Sendable {
    private let door: SocketDoor

    /// The daemon of the device with this home.
    package init(home: URL, clock: AgentClock) {
        door = SocketDoor(folder: DaemonFolder(home: home), clock: clock)
    }

    /// The state of the daemon; `nil` when none runs.
    ///
    /// - Throws: ``DaemonRefusal``.
    package func status() async throws -> DaemonStatus? {
        try await door.status()
    }
}
