// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// A row that ``RecoveringPayments`` works on under a lease.
protocol LeasedRow: Sendable {
    var lease: Lease { get }
    /// The number of the payment to which the row belongs.
    var paymentNumber: PaymentIdentifier { get }

    /// Whether the row is still in the state in which it was read.
    func isUnchanged(_ db: StoreTransaction) throws -> Bool
}

extension Payment: LeasedRow {
    var lease: Lease { .payment(number) }
    var paymentNumber: PaymentIdentifier { number }

    func isUnchanged(_ db: StoreTransaction) throws -> Bool {
        try current(db)?.status == status
    }
}

extension PaymentRefund.Ordered: LeasedRow {
    var lease: Lease { .refund(refund.identifier) }
    var paymentNumber: PaymentIdentifier { payment.number }

    func isUnchanged(_ db: StoreTransaction) throws -> Bool {
        try PaymentRefund.find(refund.identifier, of: payment.account, db)?.refund.status == refund.status
    }
}

extension Lease {
    /// Takes the leases of rows of one kind, and returns the rows that this
    /// process works on now. A row that has changed since it was read is left
    /// out; the next round reads it again.
    static func take<Row: LeasedRow>(_ rows: [Row], _ db: StoreTransaction) throws -> [Row] {
        guard let work = rows.first?.lease.work else { return [] }
        let taken = Set(try take(work, rows.map(\.lease.key), db))
        return try rows.filter { try taken.contains($0.lease.key) && $0.isUnchanged(db) }
    }
}
