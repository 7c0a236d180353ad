// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Makes the leases last longer on whose rows this process works now.
package struct RenewingLeases: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The time between two renewals: two may fail before a lease runs out.
    package static let pause: Duration = .seconds(3)

    /// Renews the held leases; without one it writes nothing.
    ///
    /// The leases are read when the write runs: one that was given back while
    /// the write waited must not be renewed, because no process would take the
    /// row before the renewed lease has run out.
    package func callAsFunction() async throws {
        guard !context.leases.all.isEmpty else { return }
        try await write(.key(context.leases.writeKey), isUrgent: true) { [leases = context.leases] db in
            let held = Dictionary(grouping: leases.all, by: \.work).mapValues { $0.map(\.key).sorted() }
            for work in Lease.Work.allCases { try Lease.renew(work, held[work] ?? [], db) }
        }
    }
}
