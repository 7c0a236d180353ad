// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Saves a customer's request for a refund.
package struct AskingForRefund: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Saves a request. A transaction whose request waits keeps it, so that a
    /// form that is sent twice makes one request. The renewal of a subscription
    /// whose period runs is turned off, as Apple's store does.
    ///
    /// - Throws: ``DomainError``: `notFound` for a purchase of another account;
    ///   `decided` for one that was refunded; `invalid` for a comment that is
    ///   too long, and for a purchase that cost nothing.
    @discardableResult
    package func callAsFunction(
        _ transaction: TransactionIdentifier, of account: AccountIdentifier, because reason: RefundRequest.Reason,
        comment: String?
    ) async throws -> RefundRequest {
        let comment = comment?.trimmingWhitespace()
        guard (comment?.utf8.count ?? 0) <= RefundRequest.longestComment else {
            throw DomainError(
                .invalid, "The comment has more than \(RefundRequest.longestComment) bytes.", reason: .comment)
        }
        let identifier = RefundIdentifier(random.hexadecimal(bytes: 16))
        return try await write(for: account) { db in
            guard let purchase = try Purchase.find(transaction, of: account, db), purchase.account == account else {
                throw DomainError(.notFound, "The account has no purchase with the number \(transaction).")
            }
            if let known = try RefundRequest.newest(of: purchase, db), known.status.waits { return known }
            guard purchase.revoked == nil else { throw DomainError(.decided, "This was refunded already.") }
            guard purchase.price.milliunits > 0 else {
                throw DomainError(.invalid, "This purchase cost nothing.", reason: .freePurchase)
            }
            let request = RefundRequest(
                identifier: identifier, account: account, transaction: transaction, reason: reason,
                comment: comment.flatMap { $0.isEmpty ? nil : $0 }, status: .open, created: db.now)
            try request.insert(db)
            try Self.turnOffRenewal(of: purchase, db)
            // A device of the customer may wait for the request.
            _ = try AccountEvent.append(
                .refundRequest, account: account, bundleIdentifier: purchase.bundleIdentifier,
                transactionIdentifier: transaction, changesReceipt: false, db)
            try request.notify(.consumptionRequest, about: purchase, db)
            return request
        }
    }

    /// Turns off the renewal of a purchase's subscription, unless it has ended
    /// or its charge is retried: turning it off would end it then.
    private static func turnOffRenewal(of purchase: Purchase, _ db: StoreTransaction) throws {
        guard purchase.kind == .autoRenewable,
            var subscription = try Subscription.find(purchase.originalTransactionIdentifier, of: purchase.account, db),
            let before = subscription.newestState
        else { return }
        let clock = try AccountClock.of(purchase.account, db)
        let moment = clock.time(at: db.now)
        guard before.renews, before.expired == nil, !before.isRevoked, moment < before.end else { return }
        subscription.setRenewal(false, at: moment)
        try Subscription.release(before.authorised, of: purchase.account, db)
        try subscription.save(clock, db)
    }
}
