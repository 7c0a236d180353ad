// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The contents of `Products.plist`: in the built-in product model the app's
/// bundle contains its product identifiers and the pictures that they unlock.
struct ProductList: Decodable, Sendable {
    let nonConsumables: [String]
    let consumables: [String]
    /// The plans of the app's only group of subscriptions.
    let subscriptions: [String]
    /// The names of the bundle's pictures, by the identifier of the product
    /// that unlocks them.
    let pictures: [String: String]

    /// All products, in the order in which they are shown.
    var identifiers: [String] { nonConsumables + consumables + subscriptions }

    private enum CodingKeys: String, CodingKey {
        case nonConsumables = "NonConsumables"
        case consumables = "Consumables"
        case subscriptions = "Subscriptions"
        case pictures = "Pictures"
    }

    static let bundled: ProductList = {
        do {
            return try PropertyListDecoder().decode(ProductList.self, from: Resource.data("Products.plist"))
        } catch {
            fatalError("Products.plist of BuyFruit's bundle can't be read: \(error)")
        }
    }()
}
