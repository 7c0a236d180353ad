// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The products of the garden, from `products.json`.
struct Catalogue: Sendable {
    enum Kind: String, Decodable {
        case seeds, coins, season, subscription
    }

    /// A product. The title and the description of a free one are for the app:
    /// the store has those of the others.
    struct Item: Decodable {
        /// The identifier at the store, or the garden's own if the product is free.
        var product: String
        var kind: Kind
        /// The store sells no product for nothing: the back end gives these away.
        var isFree: Bool
        /// Whether a file with the product's identifier is in the content's folder.
        var hasContent: Bool
        /// The coins that one purchase adds to the balance.
        var coins: Int
        /// The days for which a season pass is valid: the store doesn't know how long a non-renewing subscription lasts.
        var days: Int?
    }

    /// The list as the apps receive it, and its entity tag: the tag changes when a byte does.
    let list: Data
    let tag: String
    let items: [Item]

    init(_ list: Data) throws {
        self.list = list
        tag = EntityTag.of(list)
        items = try JSONDecoder().decode([Item].self, from: list)
    }

    func item(_ product: String) -> Item? { items.first { $0.product == product } }
}

/// A strong entity tag: the SHA-256 of the bytes.
enum EntityTag {
    static func of(_ body: Data) -> String {
        "\"" + SHA256.hash(data: body).map { String(format: "%02x", $0) }.joined() + "\""
    }

    /// Whether an If-None-Match field names the tag.
    static func matches(_ field: String?, _ tag: String) -> Bool {
        guard let field else { return false }
        return field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.contains {
            $0 == "*" || $0 == tag || $0 == "W/" + tag
        }
    }
}
