// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Sets a product's base price, or its price in one storefront, and adds it to
/// the history of the product's prices. The product is then an edited one,
/// which imports of configuration files leave alone.
package struct SettingPrice: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Sets a price to a decimal such as `0.99`. Without a country it is the
    /// base price, which applies in storefronts without a price of their own.
    /// Without a decimal the country's price is removed, if there is one.
    ///
    /// - Returns: The product with its new price.
    /// - Throws: ``DomainError``: `notFound`; `invalid` for an unknown
    ///   country, a price that isn't one, and the removal of the base price.
    @discardableResult
    package func callAsFunction(
        _ identifier: ProductIdentifier, of bundleIdentifier: BundleIdentifier, in country: String?,
        to decimal: String?,
        by source: ProductEdit.Source = .operator
    ) async throws -> Product {
        let storefront = try country.map(Storefront.known)
        let price = try decimal.map { try Self.milliunits($0, in: storefront) }
        if price == nil, storefront == nil {
            throw DomainError(
                .invalid, "The base price can't be removed: set another one, or name the storefront of a price.")
        }
        let number = PriceChangeIdentifier(random.hexadecimal(bytes: 16))
        return try await write(.catalogue(of: bundleIdentifier)) { db in
            let before = try Catalogue.known(identifier, of: bundleIdentifier, db)
            var product = before
            if let storefront {
                product.prices[storefront.countryCode] = price
            } else if let price {
                product.setBase(price)
            }
            try Catalogue.save(product, by: source, db)
            let change = PriceChange(number, from: before, to: product, in: storefront?.countryCode, at: db.now)
            try change?.insertFinished(db)
            return product
        }
    }

    /// The thousandths of a decimal such as `0.99`: a base price, or an amount of a storefront's currency.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    static func milliunits(_ decimal: String, in storefront: Storefront?) throws -> Int64 {
        do {
            return try Money.milliunits(of: decimal, in: storefront?.currency ?? "USD")
        } catch {
            throw DomainError(
                .invalid, "The price \"\(decimal)\" \(error): write a decimal from 0 to 999999999999.999.")
        }
    }
}
