// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Asks the parents for a choice for a subscription that a customer makes on a
/// page of the account, on the sheet of a higher price or by the remote control.
///
/// If the account has to ask, and more is paid with the choice than without it,
/// the choice becomes a request to buy the product: the approval makes it, on the
/// terms that the parent is shown. No app waits for the request.
struct AskingParents: Sendable {
    // They are drawn before the transaction, so that a repeated run of its
    // closure uses the same.
    private let request: RequestIdentifier
    private let transaction: TransactionIdentifier

    init(_ context: StoreContext, of account: AccountIdentifier) {
        request = RequestIdentifier(context.random.hexadecimal(bytes: 16))
        transaction = context.newTransactionIdentifier(for: account)
    }

    /// Records the request; a repeated choice finds the one that waits.
    ///
    /// - Returns: `nil` when the customer decides alone.
    func ask(
        for terms: SubscriptionTerms, of product: Product, account: Account, _ db: StoreTransaction
    ) throws -> DeviceRequest? {
        guard account.has(.asksToBuy), terms.raisesPayments else { return nil }
        // Closing the account, which fails its requests, commits before or finds this one.
        guard try Account.hold(account.identifier, db) else { throw DomainError.noAccount(account.email) }
        let waiting = try DeviceRequest.deferred(of: account.identifier, for: product, db)
        if let known = waiting.first(where: { $0.discount == nil && $0.code == nil }) { return known }
        let device = Device.remoteControl(of: account.identifier)
        try Device.use(withoutSecret: device, db)
        var asked = DeviceRequest(
            device: device, identifier: request, kind: .payment, bundleIdentifier: product.bundleIdentifier,
            productIdentifier: product.productIdentifier)
        asked.acceptsRunning = true
        asked.deferred(for: account, as: transaction, at: db.now, limit: db.askToBuyLimit)
        try asked.insert(db)
        try ParentNotice.note(asked, db)
        return asked
    }
}
