// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Sets the former subscribers who may get a win-back offer, and its priority.
/// The product is then an edited one, which imports of configuration files
/// leave alone.
package struct SettingWinBackConditions: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Sets the conditions, `nil` for none, and the priority. Repeating the
    /// call changes nothing.
    ///
    /// - Throws: ``DomainError``: `notFound` for an unknown product or offer,
    ///   `invalid` for numbers out of range.
    package func callAsFunction(
        _ conditions: WinBackConditions?, priority: Product.Offer.Priority, of offer: String,
        product identifier: ProductIdentifier, in bundleIdentifier: BundleIdentifier
    ) async throws {
        try conditions?.check()
        try await write(.catalogue(of: bundleIdentifier)) { db in
            var product = try Catalogue.known(identifier, of: bundleIdentifier, db)
            guard let index = product.offers.firstIndex(where: { $0.kind == .winBack && $0.identifier == offer }) else {
                throw DomainError(.notFound, "\"\(identifier)\" has no win-back offer \"\(offer)\".")
            }
            product.offers[index].conditions = conditions
            product.offers[index].priority = priority
            try Catalogue.save(product, by: .operator, db)
        }
    }
}
