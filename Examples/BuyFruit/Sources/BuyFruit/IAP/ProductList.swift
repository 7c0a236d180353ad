// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What `Products.plist` says: the built-in product model, in which the app
/// ships its product identifiers and what they unlock.
struct ProductList: Decodable, Sendable {
    let nonConsumables: [String]
    let consumables: [String]
    /// The picture in the bundle that a product unlocks.
    let pictures: [String: String]

    /// All products, in the order in which they are shown.
    var identifiers: [String] { nonConsumables + consumables }

    private enum CodingKeys: String, CodingKey {
        case nonConsumables = "NonConsumables"
        case consumables = "Consumables"
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
