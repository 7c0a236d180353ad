// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The daemon of a device, as another program sees it.
package struct DeviceDaemon: Sendable {
    private let door: SocketDoor
    private var folder: DaemonFolder { door.folder }

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

    /// Lets the daemon forget an app that doesn't run: it isn't synchronized
    /// until its next launch. The app's purchases and downloads stay in its
    /// journal. Without a daemon, the next one doesn't know the app.
    ///
    /// - Throws: ``DaemonRefusal``, also with the codes `running` and
    ///   `unknown`; ``AgentError`` with the code `home`, `secondDaemon` while a
    ///   daemon starts, and `configuration` for a name that no app can have.
    package func forget(_ bundle: String) async throws {
        let bundle = try AgentEnvironment.checkedIdentifier(bundle)
        guard try await door.forget(bundle) == nil else { return }
        guard PosixFiles().isFolder(folder.home), let lock = try FileLock.acquireIfFree(folder.lock) else {
            throw AgentError(
                .secondDaemon, "\(folder.home.path) doesn't exist, or its storeagentd starts now. Repeat the command.")
        }
        defer { lock.release() }
        try DaemonRegistration.remove(bundle, folder, PosixFiles())
    }
}
