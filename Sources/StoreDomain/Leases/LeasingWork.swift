// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Work on a row whose lease this process has taken.
extension UseCase {
    /// Works on the row, while ``RenewingLeases`` renews its lease. If the
    /// work throws or isn't complete, the lease is given back, so that any
    /// process can go on.
    func leased<T>(
        _ lease: Lease, isComplete: (T) -> Bool = { _ in true }, _ work: () async throws -> T
    ) async throws -> T {
        context.leases.hold([lease])
        do {
            let result = try await work()
            if isComplete(result) { context.leases.drop([lease]) } else { await release(lease) }
            return result
        } catch {
            await release(lease)
            throw error
        }
    }

    /// Gives a lease back. If the database can't be written, the lease runs
    /// out.
    func release(_ lease: Lease) async {
        context.leases.drop([lease])
        try? await write(.key(context.leases.writeKey), isUrgent: true) { db in
            try Lease.release(lease.work, [lease.key], db)
        }
    }
}
