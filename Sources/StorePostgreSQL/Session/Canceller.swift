// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import Foundation

/// Asks the server to stop what a session is doing.
final class Canceller: @unchecked Sendable {  // because libpq says that PQcancel may be called by any thread
    private let handle: OpaquePointer?

    init(_ connection: OpaquePointer) {
        handle = PQgetCancel(connection)
    }

    deinit { PQfreeCancel(handle) }

    /// Returns at once; asking takes a connection of its own, and so a thread
    /// of its own.
    func cancel() {
        Thread { [self] in
            var complaint = [CChar](repeating: 0, count: 256)
            // Whoever asked has gone: there is nobody to tell a failure.
            _ = PQcancel(handle, &complaint, Int32(complaint.count))
        }.start()
    }
}
