// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreDatabase

/// The system under the agent: files that last, processes that end at any
/// moment, and a queue to tell observers on.
///
/// In an app it is the operating system, ``PosixSystem``; in a simulation it
/// is one that loses power when a seed says so.
package protocol AgentSystem: Sendable {
    /// The files of the device.
    var files: any FileSystem { get }

    /// Opens the database of a journal, and makes it if it isn't there.
    ///
    /// - Throws: `DatabaseError`.
    func openJournal(_ file: URL) throws -> any Database

    /// Makes a queue for this process.
    func makeQueue(_ label: String) -> any WorkQueue

    /// Makes this process known to the others of its app; the handler is
    /// called after one of them woke it.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func enter(
        _ process: String, in folder: URL, woken: @escaping @Sendable () -> Void
    ) throws -> any ProcessPresence

    /// Waits for a lock that ends with its process, whatever kills it.
    ///
    /// - Throws: `CancellationError`, and ``AgentError`` with the code `home`.
    func acquireLock(_ file: URL) async throws -> any HeldLock
}

/// This process among the processes of its app: its name, its life, and how
/// the others are woken.
package protocol ProcessPresence: Sendable {
    /// Random, never used again.
    var identifier: String { get }

    /// Says that something has changed in the journal.
    func wakeOthers()

    /// Whether a process can still do what it has begun.
    func isAlive(_ process: String) -> Bool

    /// Leaves: what this process held is free from now on.
    func leave()
}

/// A lock that this process has.
package protocol HeldLock: Sendable {
    /// Lets the next one have it.
    func release()
}
