// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Finds the win-back offers that an account may use.
package struct FindingWinBackOffers: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The offers of a product, those of high priority first, and otherwise in
    /// the product's order; empty when the account may use none, and for a
    /// product that isn't a subscription.
    ///
    /// - Throws: ``DomainError`` `notFound` for an unknown product.
    package func callAsFunction(
        of identifier: ProductIdentifier, in bundleIdentifier: BundleIdentifier, for account: AccountIdentifier
    ) async throws -> [Product.Offer] {
        try await read { db in
            let product = try Catalogue.offered(identifier, of: bundleIdentifier, db)
            guard let account = try Account.findOpen(account, db), let plan = product.plan,
                product.isSold(in: account.storefront)
            else { return [] }
            let history = try WinBackHistory.find(plan, of: account.identifier, in: bundleIdentifier, db)
            let moment = account.time(at: db.now)
            return history.offers(of: product, at: moment)
        }
    }
}
