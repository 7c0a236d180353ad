// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The leases on whose rows this process works now. ``RenewingLeases`` renews
/// these, and no others.
package final class HeldLeases: Sendable {
    /// The random identifier of this process in its leases.
    let owner: String
    /// How long a lease of this process lasts.
    let duration: Duration

    private let held = Mutex<Set<Lease>>([])

    init(owner: String, duration: Duration) {
        self.owner = owner
        self.duration = duration
    }

    /// The name under which this process's writes of leases wait for one
    /// another (`WriteScope.key`). They don't wait for those of other
    /// processes, because each row is decided in the statement that changes
    /// it.
    var writeKey: String { "leases \(owner)" }

    /// The leases that are held now.
    var all: Set<Lease> { held.withLock { $0 } }

    func hold(_ leases: some Sequence<Lease>) {
        held.withLock { $0.formUnion(leases) }
    }

    func drop(_ leases: some Sequence<Lease>) {
        held.withLock { $0.subtract(leases) }
    }
}
