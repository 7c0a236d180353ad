// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import Foundation

/// Cancels the statement that a session runs.
final class Canceller: @unchecked Sendable {  // because libpq documents PQcancel as safe to call from any thread
    private let handle: OpaquePointer?

    init(_ connection: OpaquePointer) {
        handle = PQgetCancel(connection)
    }

    deinit { PQfreeCancel(handle) }

    /// Sends the cancel request from a thread of its own: PQcancel opens a
    /// connection and blocks.
    func cancel() {
        Thread { [self] in
            var complaint = [CChar](repeating: 0, count: 256)
            // The caller doesn't wait for the result: a failure is ignored.
            _ = PQcancel(handle, &complaint, Int32(complaint.count))
        }.start()
    }
}
