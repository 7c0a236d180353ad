// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Finishes a transaction: removes it from every queue, and a consumable or a
/// non-renewing subscription from the receipt. A renewal is removed from the
/// queue of its device only. Repeating it changes nothing.
package struct FinishingTransaction: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Finishes a transaction in the device's queue, and returns the account
    /// that bought it; `nil` when the queue doesn't contain it.
    ///
    /// One that has one holder is also finished by a device that had it before another
    /// device got it: its app has delivered the content, perhaps offline, and
    /// the other device must not deliver it again. One that was refunded before
    /// the finish arrived isn't delivered again when the refund is taken back.
    package func callAsFunction(
        _ transaction: TransactionIdentifier, on device: DeviceIdentifier
    ) async throws -> AccountIdentifier? {
        let found = try await read { db in
            try UnfinishedTransaction.find(transaction, on: device, db)?.purchase
                ?? UnfinishedTransaction.consumable(transaction, handedOverBy: device, db)
                ?? Purchase.revokedUnfinished(transaction, heldBy: device, db)
        }
        guard let purchase = found else { return nil }
        faults("finished:before")
        try await write(for: purchase.account) { db in
            guard case .leaveAllQueues(let andReceipt) = FinishDecision.finishing(purchase.kind) else {
                return try UnfinishedTransaction.remove(purchase, from: device, db)
            }
            try Self.finishEverywhere(purchase, andReceipt: andReceipt, db)
        }
        faults("finished:after")
        return purchase.account
    }

    /// Removes a transaction from every queue, and also from the receipt if
    /// `andReceipt` is set. The devices learn of it from an event.
    static func finishEverywhere(_ purchase: Purchase, andReceipt: Bool, _ db: StoreTransaction) throws {
        guard try UnfinishedTransaction.removeEverywhere(purchase, db) else {
            return try purchase.finishRevoked(db)
        }
        if andReceipt {
            try purchase.leaveReceipt(db)
        }
        _ = try AccountEvent.append(
            .finished, account: purchase.account, bundleIdentifier: purchase.bundleIdentifier,
            transactionIdentifier: purchase.transactionIdentifier, changesReceipt: false, db)
    }
}
