// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreDatabase

/// The operating system that this process runs on.
package struct PosixSystem: AgentSystem {
    /// The process that uses the system.
    package enum Role: Sendable {
        /// A process that synchronizes its app, whether or not a daemon runs.
        case alone
        /// A process of an app, which leaves the synchronization to the daemon.
        case app
        case daemon
    }

    private let role: Role

    /// Makes the system for a process.
    package init(_ role: Role = .alone) {
        self.role = role
    }

    package var files: any FileSystem { PosixFiles() }

    /// Opens a journal, which refuses no call because others wait: an app can't
    /// repeat a payment that wasn't saved.
    package func openJournal(_ file: URL) throws -> any Database {
        try SQLiteDatabase(.file(file.path), busyTimeout: .seconds(5), limits: .none)
    }

    package func makeQueue(_ label: String) -> any WorkQueue { DispatchWorkQueue(label) }

    package func enter(
        _ process: String, in folder: URL, woken: @escaping @Sendable () -> Void
    ) throws -> any ProcessPresence {
        try WakePipePresence(process, in: folder, handler: woken)
    }

    package func acquireLock(_ file: URL) async throws -> any HeldLock {
        try await FileLock.acquire(file)
    }

    package var startsDownloads: Bool { role == .daemon }

    package func daemon(of home: URL, _ clock: AgentClock) -> (any DaemonDoor)? {
        role == .app ? SocketDoor(folder: DaemonFolder(home: home), clock: clock) : nil
    }
}
