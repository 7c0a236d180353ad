// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The products of the garden.
struct Catalogue: Codable, Sendable {
    enum Kind: String, Codable {
        case seeds, coins, subscription
    }

    struct Item: Codable {
        /// The identifier at the store, or the garden's own if the product is free.
        var product: String
        var kind: Kind
        /// The name and the description of a free product. The store has those of the others.
        var title: String?
        var description: String?
        /// The store sells no product for nothing: the back end gives these away.
        var isFree = false
        /// The file of the content's folder that comes with the product.
        var content: String?
        /// The coins that one purchase adds to the balance.
        var coins = 0
    }

    var items: [Item]

    func item(_ product: String) -> Item? { items.first { $0.product == product } }

    /// A product as an app receives it. The names of the files stay here.
    struct Listed: Codable, Equatable {
        var product: String
        var kind: String
        var title: String?
        var description: String?
        var isFree: Bool
        var hasContent: Bool
    }

    var listed: [Listed] {
        items.map {
            Listed(
                product: $0.product, kind: $0.kind.rawValue, title: $0.title, description: $0.description,
                isFree: $0.isFree, hasContent: $0.content != nil)
        }
    }

    /// The list as bytes, and its entity tag: the tag changes when a byte does.
    func answer() throws -> (body: Data, tag: String) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = try encoder.encode(listed)
        return (body, EntityTag.of(body))
    }
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
