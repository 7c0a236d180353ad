// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A customer of the garden.
///
/// A receipt doesn't name the person who bought: the garden's own sign-in does.
struct Customer: Codable, Sendable {
    var password: Password
    /// By transaction identifier, so that a receipt that is sent again changes nothing.
    var purchases: [String: Purchase] = [:]
    var free: Set<String> = []
    var coins = 0

    /// Adds the purchases of a receipt that was checked.
    mutating func add(_ receipt: [Purchase], of catalogue: Catalogue) {
        for var bought in receipt {
            guard let item = catalogue.item(bought.product), !item.isFree else { continue }
            let known = purchases[bought.transaction]
            // A refund stays: an older receipt that is sent again doesn't undo it.
            bought.refunded = known?.refunded ?? bought.refunded
            bought.expires = bought.expires ?? known?.expires
            let counted = known.map { $0.refunded == nil ? $0.quantity : 0 } ?? 0
            coins += item.coins * ((bought.refunded == nil ? bought.quantity : 0) - counted)
            purchases[bought.transaction] = bought
        }
    }

    /// When the last period of a subscription ends that wasn't refunded.
    func end(of item: Catalogue.Item) -> Date? {
        purchases.values.filter { $0.product == item.product && $0.refunded == nil }.compactMap(\.expires).max()
    }

    /// Whether the customer may have the product's content at a time.
    func owns(_ item: Catalogue.Item, at time: Date) -> Bool {
        if item.isFree { return free.contains(item.product) }
        return purchases.values.contains { bought in
            bought.product == item.product && bought.refunded == nil
                && (item.kind != .subscription || bought.expires.map { $0 > time } ?? false)
        }
    }
}
