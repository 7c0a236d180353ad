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

    /// When a season pass, or the last period of a subscription, ends that wasn't refunded.
    ///
    /// The store restores no non-renewing subscription and knows no end of it. A pass that is bought before the last one has
    /// ended follows it.
    func end(of item: Catalogue.Item) -> Date? {
        let valid = purchases.values.filter { $0.product == item.product && $0.refunded == nil }
        guard let days = item.days else { return valid.compactMap(\.expires).max() }
        return valid.compactMap { bought in bought.bought.map { ($0, bought.quantity) } }.sorted { $0.0 < $1.0 }
            .reduce(nil) { end, pass in
                max(end ?? pass.0, pass.0) + Double(days * pass.1) * 86_400
            }
    }

    /// Whether the customer may have the product's content at a time.
    func owns(_ item: Catalogue.Item, at time: Date) -> Bool {
        if item.isFree { return free.contains(item.product) }
        switch item.kind {
        case .season, .subscription: return end(of: item).map { $0 > time } ?? false
        case .seeds, .coins:
            return purchases.values.contains { $0.product == item.product && $0.refunded == nil }
        }
    }
}
