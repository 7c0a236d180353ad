// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreDatabase

/// The operating system as the agent uses it: durable files, processes that
/// may end at any moment, and a queue for the calls to observers.
///
/// An app uses ``PosixSystem``. A simulation implements it with a system that
/// loses power at seeded moments.
package protocol AgentSystem: Sendable {
    /// The files of the device.
    var files: any FileSystem { get }

    /// Opens the database of a journal, and creates it if it doesn't exist.
    ///
    /// - Throws: `DatabaseError`.
    func openJournal(_ file: URL) throws -> any Database

    /// Makes a serial queue in this process.
    func makeQueue(_ label: String) -> any WorkQueue

    /// Adds this process to the processes of its app. The handler is called
    /// after another process has woken this one.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func enter(
        _ process: String, in folder: URL, woken: @escaping @Sendable () -> Void
    ) throws -> any ProcessPresence

    /// Waits for a lock that is released when its process ends for any
    /// reason.
    ///
    /// - Throws: `CancellationError`, and ``AgentError`` with the code
    ///   `home`.
    func acquireLock(_ file: URL) async throws -> any HeldLock

    /// Whether downloads are started whose transactions arrive while no
    /// process of the app runs.
    var startsDownloads: Bool { get }

    /// The way to the user's daemon, which may synchronize the apps of the
    /// device with a home; `nil` in a system without one.
    func daemon(of home: URL, _ clock: AgentClock) -> (any DaemonDoor)?
}

/// This process as one of the processes of its app: its identifier, and how
/// to wake the others.
package protocol ProcessPresence: Sendable {
    /// Random, never used again.
    var identifier: String { get }

    /// Wakes the other processes after the journal has changed.
    func wakeOthers()

    /// Whether a process is still running and hasn't left.
    func isAlive(_ process: String) -> Bool

    /// Removes this process from the processes of its app. It counts as dead
    /// from then on.
    func leave()
}

/// A lock that this process holds.
package protocol HeldLock: Sendable {
    /// Releases the lock.
    func release()
}
