// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Sets the storefronts in which a product isn't sold. Importing a file of
/// Xcode doesn't change them, because it contains no countries. The product is
/// then an edited one, which imports leave alone.
package struct SettingAvailability: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Replaces the storefronts in which a product isn't sold.
    ///
    /// - Throws: ``DomainError``: `notFound`, `invalid` for an unknown
    ///   country.
    package func callAsFunction(
        _ identifier: ProductIdentifier, of bundleIdentifier: BundleIdentifier, isNotSoldIn countries: Set<String>
    ) async throws {
        for country in countries { _ = try Storefront.known(country) }
        try await write(.catalogue(of: bundleIdentifier)) { db in
            let product = try Catalogue.known(identifier, of: bundleIdentifier, db)
            try Catalogue.exclude(product, from: countries, by: .operator, db)
        }
    }
}
