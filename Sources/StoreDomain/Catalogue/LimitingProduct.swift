// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Says in which storefronts a product isn't sold. It stays so when the
/// catalogue is imported again, because a configuration file says nothing of
/// countries.
package struct LimitingProduct: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// - Throws: ``DomainError``: `notFound`, `invalid` for an unknown country.
    package func callAsFunction(
        _ identifier: String, of bundleIdentifier: String, isNotSoldIn countries: Set<String>
    ) async throws {
        for country in countries { _ = try Storefront.known(country) }
        try await database.write { connection in
            guard let product = try Catalogue.product(identifier, of: bundleIdentifier, connection) else {
                throw DomainError(.notFound, "\(bundleIdentifier) has no product \"\(identifier)\".")
            }
            try Catalogue.exclude(product, from: countries, connection)
        }
    }
}
