// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore

/// Makes the address of an item's page for one device.
enum ItemPageAddress {
    /// The address with the request's values and, for the app's own page, the
    /// promotions of the device.
    ///
    /// An address has at most ``SheetAddress/limit`` bytes. The last products of
    /// a long order are left out: the page shows them after the others.
    static func text(_ page: String, _ request: ItemPageRequest, _ promotions: Promotions) -> String {
        var pairs = request.product.map { [(ItemQueryName.product, $0)] } ?? []
        for (product, visibility) in promotions.visibility.sorted(by: { $0.key < $1.key }) {
            if visibility == Promotions.hides { pairs.append((ItemQueryName.hide, product)) }
            if visibility == Promotions.shows { pairs.append((ItemQueryName.show, product)) }
        }
        pairs += promotions.order.map { (ItemQueryName.order, $0) }
        var parts = request.tokens.isEmpty ? [] : [request.tokens.text]
        var length = page.utf8.count + parts.joined().utf8.count + 1
        for (name, product) in pairs.prefix(ItemQueryName.count) where AppText.refusal(of: product) == nil {
            let part = "\(name)=\(product.percentEncodedForQuery)"
            length += part.utf8.count + 1
            guard length <= SheetAddress.limit else { break }
            parts.append(part)
        }
        return parts.isEmpty ? page : "\(page)?\(parts.joined(separator: "&"))"
    }
}

extension Promotions {
    /// The raw values of `SKProductStorePromotionVisibility.show` and `.hide`.
    static let shows = 1
    static let hides = 2
}
