// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Payment {
    /// Takes the leases of payments, and returns those that this process has
    /// now. A payment that has changed since it was read is left out; the
    /// next round reads it again.
    static func take(_ payments: [Payment], _ db: StoreTransaction) throws -> [Payment] {
        let taken = Set(try Lease.take(.payment, payments.map(\.number.rawValue), db))
        return try payments.filter { payment in
            guard taken.contains(payment.number.rawValue) else { return false }
            return try find(payment.number, db)?.status == payment.status
        }
    }

    /// Takes the lease of a payment that this process begins to work on.
    func take(_ db: StoreTransaction) throws {
        _ = try Lease.take(.payment, [number.rawValue], db)
    }
}
