// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreDatabase

/// The operating system that this process runs on.
package struct PosixSystem: AgentSystem {
    /// Makes the system.
    package init() {}

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
}
