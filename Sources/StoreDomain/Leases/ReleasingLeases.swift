// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Ends the leases of earlier processes, in a store that one process at a time
/// can serve: their work needn't wait until the leases run out.
package struct ReleasingLeases: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Ends the leases of every other process. This process's own stay: it
    /// may already work on a payment that a customer has just confirmed.
    package func callAsFunction() async throws {
        try await write(.key(context.leases.writeKey), isUrgent: true) { db in try Lease.releaseOthers(db) }
    }
}
