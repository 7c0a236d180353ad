// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Reversal {
    /// Carries out a change that an event of the provider reports, in the
    /// transaction that locks the payment's account: the ledger entry, and the
    /// part of the amount that isn't the store's any more.
    ///
    /// - Returns: Whether something was changed.
    static func save(
        _ kind: LedgerEntry.Kind, of known: Payment, by event: ProviderEvent, _ db: StoreTransaction
    ) throws -> Bool {
        guard let payment = try known.current(db) else { return false }
        let entries = try LedgerEntry.of(payment, db)
        // The store's own entries have hexadecimal identifiers. The entry may
        // exist although the event is new: handled events are deleted after a
        // time.
        let identifier = "event \(event.identifier)"
        guard !entries.contains(where: { $0.identifier == identifier }),
            let charge = entries.first(where: { $0.kind == .charge }),
            let reversal = Reversal(kind, of: payment, after: entries),
            try payment.saveReversal(returned: payment.returned - reversal.milliunits, reversal.status, db)
        else { return false }
        let moment = try AccountClock.of(payment.account, db).time(at: db.now)
        try LedgerEntry(reversal, of: charge, identifier: identifier, at: moment).insert(of: payment.account, db)
        return true
    }
}
