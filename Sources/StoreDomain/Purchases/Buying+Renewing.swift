// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Buying {
    /// Makes the next purchase of a subscription, which no device asked for:
    /// purchase, ledger entry, event, the unfinished transactions of all
    /// devices that use the app, and the capture that is due.
    ///
    /// - Returns: `false` when the payment isn't reserved or pending any more.
    /// - Throws: ``DomainError`` `notFound` when there is no subscription that
    ///   the payment can continue.
    static func renew(
        _ original: OriginalTransactionIdentifier, paidBy payment: Payment, as identifier: TransactionIdentifier,
        _ db: StoreTransaction
    ) throws -> Bool {
        guard let first = try Purchase.find(TransactionIdentifier(original), db), first.kind == .autoRenewable,
            first.account == payment.account
        else { throw DomainError(.notFound, "Payment \(payment.number) continues no subscription.") }
        guard try payment.move(from: .reserved, or: .pending, to: .committed, db) else { return false }
        let event = try AccountEvent.append(
            .transaction, account: first.account, bundleIdentifier: first.bundleIdentifier,
            transactionIdentifier: identifier, db)
        let purchase = Purchase(renewing: first, as: identifier, paidBy: payment, at: event.time)
        try purchase.insert(db)
        try LedgerEntry(
            identifier: payment.number.rawValue, account: payment.payer, transactionIdentifier: identifier,
            paymentNumber: payment.number, amount: payment.amount, at: event.time
        ).insert(db)
        for device in try DeviceApp.users(of: purchase.bundleIdentifier, account: purchase.account, db) {
            try UnfinishedTransaction.insert(
                purchase, for: device, requestIdentifier: nil, eventNumber: event.number, db)
        }
        db.tally.note(.purchase, of: purchase.kind)
        return true
    }
}
