// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Finds who pays after a choice for a subscription that a customer makes on a
/// page of the account, on the sheet of a higher price or by the remote control.
///
/// If more is paid with the choice than without it, a customer who decides alone
/// pays the periods that follow. If the account has to ask, the choice becomes a
/// request to buy the product: the approval makes it, on the terms that the parent
/// is shown. No app waits for the request.
struct AskingParents: Sendable {
    // They are drawn before the transaction, so that a repeated run of its
    // closure uses the same.
    private let request: RequestIdentifier
    private let transaction: TransactionIdentifier

    init(_ context: StoreContext, of account: AccountIdentifier) {
        request = RequestIdentifier(context.random.hexadecimal(bytes: 16))
        transaction = context.newTransactionIdentifier(for: account)
    }

    /// Records the request, or the new payer; a repeated choice on the same terms
    /// finds the request that waits. The transaction has locked the account.
    ///
    /// - Returns: `nil` when the customer decides alone.
    func ask(
        for terms: SubscriptionTerms, of product: Product, account: Account, _ subscription: inout Subscription,
        _ db: StoreTransaction
    ) throws -> DeviceRequest? {
        guard terms.raisesPayments else { return nil }
        guard account.has(.asksToBuy) else {
            subscription.payer = account.identifier
            return nil
        }
        let confirmed = ConfirmedPayment(terms)
        let waiting = try DeviceRequest.deferred(of: account.identifier, for: product, db)
        let known = waiting.first { request in
            request.discount == nil && request.code == nil && !request.isUnanswered(at: db.now)
                && (request.confirmed == nil || request.confirmed == confirmed)
        }
        if let known { return known }
        let device = Device.remoteControl(of: account.identifier)
        try Device.use(withoutSecret: device, db)
        var asked = DeviceRequest(
            device: device, identifier: request, kind: .payment, bundleIdentifier: product.bundleIdentifier,
            productIdentifier: product.productIdentifier)
        asked.acceptsRunning = true
        asked.confirmed = confirmed
        asked.deferred(for: account, as: transaction, at: db.now, limit: db.askToBuyLimit)
        try asked.insert(db)
        try asked.update(db)
        try ParentNotice.note(asked, db)
        return asked
    }
}
