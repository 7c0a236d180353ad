// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Renews a subscription in the sandbox now: ends the running period, and
/// begins the next one immediately.
package struct ForcingRenewal: UseCase {
    package let context: StoreContext
    private let requireDeliverable: @Sendable () throws -> Void

    /// Makes the use case. `requireDeliverable` throws while no purchase can
    /// be delivered.
    package init(_ context: StoreContext, requireDeliverable: @escaping @Sendable () throws -> Void = {}) {
        self.context = context
        self.requireDeliverable = requireDeliverable
    }

    /// Turns the renewal on, ends the running period now and charges the next
    /// one, which begins now. A subscription whose charge is retried is
    /// charged now, and begins as it does after every other retry. A charge
    /// that is declined begins the retry.
    ///
    /// - Throws: ``DomainError``: `notFound` when the account has no such
    ///   subscription that goes on, `underWay` while a payment for it is,
    ///   `invalid` in production.
    package func callAsFunction(_ original: OriginalTransactionIdentifier, account: AccountIdentifier) async throws {
        guard environment == .sandbox else {
            throw DomainError(.invalid, "Only a subscription in the sandbox can be renewed before its time.")
        }
        try requireDeliverable()
        let attempt = Buying.Attempt(
            number: context.newPaymentIdentifier(), identifier: context.newTransactionIdentifier(for: account))
        faults("renew:before")
        let begun = try await write(for: account, isUrgent: true) { db in
            try Self.begin(attempt, original, of: account, db)
        }
        faults("renew:after")
        _ = try await RenewingSubscriptions(context).complete(begun)
    }

    private static func begin(
        _ attempt: Buying.Attempt, _ original: OriginalTransactionIdentifier, of account: AccountIdentifier,
        _ db: StoreTransaction
    ) throws -> RenewingSubscriptions.Begun {
        // The closure runs again after a commit whose answer was lost.
        if let payment = try Payment.find(attempt.number, of: account, db) { return .charge(payment) }
        guard try Purchase.find(attempt.identifier, of: account, db) == nil else { return .carriedOut(nil) }
        let subscriber = try Account.findOpen(account, db)
        let clock = try subscriber?.clock ?? AccountClock.of(account, db)
        let moment = clock.time(at: db.now)
        var subscription = try Subscription.held(original, of: account, at: moment, db)
        guard subscription.payment == nil else {
            throw DomainError(.underWay, "A payment for this subscription is under way already: wait a moment.")
        }
        subscription.makeRenewalDue(at: moment)
        try subscription.saveEnd(db)
        let state = subscription.newestState
        if let state, let authorised = state.authorised {
            return try RenewingSubscriptions.renew(
                &subscription, of: subscriber, state, paidBy: authorised, at: moment, as: attempt, clock, db)
        }
        let due = SubscriptionState.Due(step: state?.isInRetry == true ? .retry : .renew, at: moment)
        let payer = try Payer.find(renewing: subscription, for: subscriber, db)
        return try RenewingSubscriptions.charge(&subscription, of: subscriber, by: payer, due, attempt, clock, db)
    }
}
