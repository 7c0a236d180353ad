// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Moves the end of a subscription's running period, or those of all
/// subscribers of a product.
///
/// The transaction of the period ends later, also in receipts, and no new one
/// is made. The account's devices fetch a new receipt.
package struct ExtendingSubscription: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A subscription, and the end of its running period after the order.
    package struct Extended: Hashable, Sendable {
        package var account: AccountIdentifier
        package var original: OriginalTransactionIdentifier
        package var expires: StoreTime
        /// The number of the running period.
        package var webOrder: WebOrderIdentifier
    }

    /// A subscriber of a product whose subscription wasn't extended.
    package struct Refused: Sendable {
        package var account: AccountIdentifier
        package var original: OriginalTransactionIdentifier
        package var error: DomainError
    }

    /// The subscribers of a product among some subscriptions.
    package struct Page: Sendable {
        /// The subscriptions whose running period has been extended, now or by
        /// an earlier try of the order.
        package var extended: [Extended]
        /// The subscriptions that can't be extended, each with its reason.
        package var refused: [Refused]
        /// The subscription after which the next page begins; `nil` after the
        /// last one.
        package var next: OriginalTransactionIdentifier?
    }

    /// The number of an app's subscriptions, of any product, that a page reads.
    package static let pageSize = 200

    /// Extends the running period of the subscription to which a transaction
    /// belongs. Repeating an order changes nothing.
    ///
    /// - Throws: ``DomainError``: `invalid` for an order of other values,
    ///   `notFound`, `requestMismatch` for an identifier of another order,
    ///   `decided` for a period that can't be extended, `extendedTwice` for
    ///   one that was extended too often.
    package func callAsFunction(
        _ transaction: TransactionIdentifier, by order: RenewalExtension
    ) async throws -> Extended {
        try order.check()
        let found = try await FindingSubscription(context)(transaction)
        return try await extend(found.original, of: found.account, by: order)
    }

    /// Extends the subscriptions of a product whose current period is of it,
    /// page by page. Repeating an order, also from the first page, changes
    /// nothing in those that were extended, so that an interrupted call can go
    /// on.
    ///
    /// Subscriptions that have ended are left out, and so are those whose
    /// period costs nothing or isn't paid yet, and those of other storefronts
    /// than `storefronts`, which is empty for all. One that was extended too
    /// often is refused.
    ///
    /// - Throws: ``DomainError`` `invalid` for an order of other values;
    ///   `DatabaseError`.
    package func callAsFunction(
        subscribersOf product: ProductIdentifier, in bundleIdentifier: BundleIdentifier, by order: RenewalExtension,
        storefronts: Set<String> = [], after last: OriginalTransactionIdentifier? = nil,
        pageSize: Int = ExtendingSubscription.pageSize
    ) async throws -> Page {
        try order.check()
        let (all, next) = try await read { db in
            let all = try Subscription.page(of: bundleIdentifier, after: last, limit: pageSize, db)
            return (
                try all.compactMap { try Subscription.find($0.original, of: $0.account, db) },
                all.count == pageSize ? all.last?.original : nil
            )
        }
        var page = Page(extended: [], refused: [], next: next)
        for subscription in all where subscription.isRunning(with: product, in: storefronts) {
            do {
                page.extended.append(try await extend(subscription.original, of: subscription.account, by: order))
            } catch let error as DomainError where error.code == .decided {
                continue  // The order is for eligible subscriptions only.
            } catch let error as DomainError {
                page.refused.append(
                    Refused(account: subscription.account, original: subscription.original, error: error))
            }
        }
        return page
    }

    private func extend(
        _ original: OriginalTransactionIdentifier, of account: AccountIdentifier, by order: RenewalExtension
    ) async throws -> Extended {
        try await write(for: account) { db in
            guard var subscription = try Subscription.find(original, of: account, db),
                let state = subscription.newestState
            else { throw DomainError(.notFound, "There is no subscription with the number \(original).") }
            let clock = try AccountClock.of(account, db)
            let moment = clock.time(at: db.now)
            let earlier = try subscription.extensions(db)
            switch try ExtensionDecision.deciding(order, state, earlier: earlier, at: moment) {
            case .repeated(let end):
                return Extended(
                    account: account, original: original, expires: end, webOrder: state.period.webOrder)
            case .extend(let end):
                if end > state.end { try Self.extend(&subscription, to: end, by: order, at: moment, clock, db) }
                return Extended(
                    account: account, original: original, expires: end, webOrder: state.period.webOrder)
            }
        }
    }

    private static func extend(
        _ subscription: inout Subscription, to end: StoreTime, by order: RenewalExtension, at moment: StoreTime,
        _ clock: AccountClock, _ db: StoreTransaction
    ) throws {
        guard let state = subscription.newestState,
            var purchase = try Purchase.find(state.period.transaction, of: subscription.account, db)
        else { throw DomainError(.notFound, "The period of \(subscription.original) has no purchase.") }
        subscription.extend(to: end, by: order, at: moment)
        // The renewal is authorised again before the new end: a provider may
        // not keep an authorisation for 90 days.
        try Subscription.release(state.authorised, of: subscription.account, db)
        try subscription.save(clock, db)
        _ = try AccountEvent.append(
            .receipt, account: subscription.account, bundleIdentifier: subscription.bundleIdentifier,
            transactionIdentifier: purchase.transactionIdentifier, at: moment, db)
        purchase.term?.expires = end
        try purchase.saveTerm(db)
    }
}

extension Subscription {
    /// Whether its current period is of a product and was bought in one of
    /// some storefronts, and its end isn't recorded.
    fileprivate func isRunning(with product: ProductIdentifier, in storefronts: Set<String>) -> Bool {
        guard let state = newestState, storefronts.isEmpty || storefronts.contains(state.period.storefront) else {
            return false
        }
        return state.period.product == product && state.expired == nil && !state.isRevoked
    }
}
