// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The way in which the prices of storefronts follow from a product's base price (`Pricing.number`). The products of before
    /// have the same number in each currency.
    static let pricing = Migration("085 pricing", ["ALTER TABLE product ADD COLUMN pricing INTEGER NOT NULL DEFAULT 0"])
}
