// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Asks a subscriber of the sandbox for consent to a price, without a change
/// of the product's price.
package struct AskingForPriceConsent: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Tells the subscriber that the next renewal needs consent; a renewal
    /// that is charged already, or is retried, is followed by it. Asking for
    /// the same price again changes nothing.
    ///
    /// Without a decimal the price is that of the catalogue, which the
    /// customer may be paying already.
    ///
    /// - Returns: The account and the subscription that was asked.
    /// - Throws: ``DomainError``: `notFound` when no subscription that goes on
    ///   has the transaction; `invalid` for a price that isn't one, and in
    ///   production.
    @discardableResult
    package func callAsFunction(
        _ transaction: TransactionIdentifier, price decimal: String? = nil
    ) async throws -> FindingSubscription.Found {
        guard environment == .sandbox else {
            throw DomainError(.invalid, "Only a subscriber in the sandbox can be asked for consent to a price.")
        }
        let found = try await FindingSubscription(context)(transaction)
        try await write(for: found.account) { db in
            let clock = try AccountClock.of(found.account, db)
            let moment = clock.time(at: db.now)
            var subscription = try Subscription.held(found.original, of: found.account, at: moment, db)
            let storefront = (subscription.newestState?.period.storefront).flatMap(Storefront.named)
            let milliunits = try decimal.map { try SettingPrice.milliunits($0, in: storefront) }
            guard let increase = try subscription.increase(to: milliunits, at: moment, db) else { return }
            subscription.tell(increase, at: moment)
            try subscription.save(clock, db)
        }
        return found
    }
}

extension Subscription {
    /// The increase that a test asks for; `nil` when the subscriber was asked
    /// for it before.
    fileprivate func increase(
        to milliunits: Int64?, at moment: StoreTime, _ db: StoreTransaction
    ) throws -> PriceIncrease? {
        guard let state = newestState else { return nil }
        var price = state.period.regularPrice
        if let storefront = Storefront.named(state.period.storefront),
            let product = try Catalogue.product(state.period.product, of: bundleIdentifier, db)
        {
            price.milliunits = max(price.milliunits, product.price(in: storefront).milliunits)
        }
        price.milliunits = milliunits ?? price.milliunits
        if let known = state.priceIncrease, known.isUndecided, known.price == price { return nil }
        return PriceIncrease(
            price: price, storefront: state.period.storefront, needsConsent: true,
            applies: state.application(after: moment, isPaying: payment != nil))
    }
}
