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
    package func callAsFunction() async throws {
        let held = Dictionary(grouping: context.leases.all, by: \.work).mapValues { $0.map(\.key).sorted() }
        guard !held.isEmpty else { return }
        try await write(.key(Lease.writeKey), isUrgent: true) { db in
            for work in Lease.Work.allCases { try Lease.renew(work, held[work] ?? [], db) }
        }
    }
}
