// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The leases on whose rows this process works now. ``RenewingLeases`` renews
/// these, and no others.
package final class HeldLeases: Sendable {
    /// The random identifier of this process in its leases.
    let owner: String

    private let held = Mutex<Set<Lease>>([])

    init(owner: String) {
        self.owner = owner
    }

    /// The leases that are held now.
    var all: Set<Lease> { held.withLock { $0 } }

    func hold(_ leases: some Sequence<Lease>) {
        held.withLock { $0.formUnion(leases) }
    }

    func drop(_ leases: some Sequence<Lease>) {
        held.withLock { $0.subtract(leases) }
    }
}
