// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import Foundation
import StoreDatabase
import Synchronization

/// The write of another process to the journal of a device, which lasts until it
/// is released.
package final class JournalLock: Sendable {
    private let ended = DispatchSemaphore(value: 0)
    private let held = DispatchSemaphore(value: 0)
    private let failure = Mutex<(any Error)?>(nil)
    private let isOver = DispatchSemaphore(value: 0)

    package init(_ journal: URL) throws {
        let database = try SQLiteDatabase(.file(journal.path), busyTimeout: .beyondTests)
        Thread.detachNewThread { [self] in
            do {
                try database.writeAndWait { [self] connection in
                    try connection.run("UPDATE journal SET change = change")
                    held.signal()
                    ended.wait()
                }
            } catch {
                failure.withLock { $0 = error }
                held.signal()
            }
            isOver.signal()
        }
        held.wait()
    }

    package func release() throws {
        ended.signal()
        isOver.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
