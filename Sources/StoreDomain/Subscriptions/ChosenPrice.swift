// SPDX-License-Identifier: Apache-2.0

/// The price of a product that a subscriber has chosen for the next period, as
/// it was when it was chosen. A higher one of the catalogue needs a notice, so
/// that period has this price.
package struct ChosenPrice: Hashable, Sendable, Codable {
    var milliunits: Int64
    var currency: String
    /// The country code of the storefront in which it was shown.
    var storefront: String

    init(of product: Product, in storefront: Storefront) {
        let price = product.price(in: storefront)
        milliunits = price.milliunits
        currency = price.currency
        self.storefront = storefront.countryCode
    }

    /// The lower one of this price and the catalogue's in a storefront; the
    /// catalogue's in another storefront.
    func lowering(_ price: Money, in storefront: Storefront) -> Money {
        guard self.storefront == storefront.countryCode, currency == price.currency else { return price }
        return Money(milliunits: min(milliunits, price.milliunits), currency: currency)
    }
}
