// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import StoreAPI
import StoreCore
import StoreDomain

/// The query of an item's page: the tokens of a link, and the promotions of the
/// device whose app opens the page. Values that aren't either are ignored, so
/// that a wrong link shows the page.
struct ItemQuery {
    let tokens: CampaignTokens
    let promotions: DevicePromotions

    init(_ request: Request) {
        let query = request.uri.queryParameters
        func tokenPair(_ name: CampaignTokens.Name) -> (CampaignTokens.Name, String)? {
            query[Substring(name.rawValue)].map { (name, String($0)) }
        }
        tokens = CampaignTokens(Dictionary(uniqueKeysWithValues: CampaignTokens.Name.allCases.compactMap(tokenPair)))
        var left = ItemQueryName.count
        func products(_ name: String, atMost limit: Int = .max) -> [ProductIdentifier] {
            let values = query.getAll(name).filter { !$0.isEmpty && AppText.refusal(of: $0) == nil }
                .prefix(min(left, limit))
            left -= values.count
            return values.map { ProductIdentifier($0) }
        }
        promotions = DevicePromotions(
            first: products(ItemQueryName.product, atMost: 1).first, order: products(ItemQueryName.order),
            shown: products(ItemQueryName.show), hidden: Set(products(ItemQueryName.hide)))
    }

    /// Whether the page is the public one.
    var isPublic: Bool { promotions == DevicePromotions() }

    /// The promotions as a query with its question mark; empty for the public
    /// page.
    var text: String {
        var parts: [String] = []
        func add(_ name: String, _ products: [ProductIdentifier]) {
            parts += products.map { "\(name)=\($0.rawValue.percentEncodedForQuery)" }
        }
        if let first = promotions.first { add(ItemQueryName.product, [first]) }
        add(ItemQueryName.order, promotions.order)
        add(ItemQueryName.show, promotions.shown)
        add(ItemQueryName.hide, promotions.hidden.sorted())
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }
}
