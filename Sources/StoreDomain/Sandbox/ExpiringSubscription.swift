// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Ends a subscription in the sandbox now, with its renewal turned off.
package struct ExpiringSubscription: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Ends the running period and the subscription now. Nothing is given
    /// back.
    ///
    /// - Returns: The subscription after the change.
    /// - Throws: ``DomainError``: `notFound` when the account has no such
    ///   subscription that goes on, `invalid` in production.
    @discardableResult
    package func callAsFunction(
        _ original: OriginalTransactionIdentifier, account: AccountIdentifier
    ) async throws -> Subscription {
        guard environment == .sandbox else {
            throw DomainError(.invalid, "Only a subscription in the sandbox can be ended before its time.")
        }
        return try await write(for: account) { db in
            let clock = try AccountClock.of(account, db)
            let moment = clock.time(at: db.now)
            var subscription = try Subscription.held(original, of: account, at: moment, db)
            let authorised = subscription.newestState?.authorised
            subscription.expire(at: moment)
            try Subscription.release(authorised, of: account, db)
            try subscription.saveEnd(db)
            try subscription.save(clock, db)
            return subscription
        }
    }
}

extension Subscription {
    /// An account's subscription that goes on at a moment.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    static func held(
        _ original: OriginalTransactionIdentifier, of account: AccountIdentifier, at moment: StoreTime,
        _ db: StoreTransaction
    ) throws -> Subscription {
        guard let subscription = try find(original, of: account, db), subscription.isHeld(at: moment) else {
            throw DomainError(.notFound, "There is no subscription with the number \(original) that goes on.")
        }
        return subscription
    }

    /// Saves the end of the newest period in its purchase if the end was
    /// moved. The receipts of devices change.
    func saveEnd(_ db: StoreTransaction) throws {
        guard let state = newestState, var purchase = try Purchase.find(state.period.transaction, of: account, db),
            purchase.term != nil, purchase.term?.expires != state.end
        else { return }
        _ = try AccountEvent.append(
            .receipt, account: account, bundleIdentifier: bundleIdentifier,
            transactionIdentifier: purchase.transactionIdentifier, db)
        purchase.term?.expires = state.end
        try purchase.saveTerm(db)
    }
}
