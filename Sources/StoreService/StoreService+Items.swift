// SPDX-License-Identifier: Apache-2.0

import StoreAPI
package import StoreCore
package import StoreDomain

/// The items that customers buy on pages of the store, and the numbers of sales
/// that those pages use.
extension StoreService {
    /// An item with all that its page shows: the public one, or the one that
    /// an app opens with the promotions of its device.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func itemPage(
        _ identifier: Int64, in storefront: Storefront, _ promotions: DevicePromotions = DevicePromotions()
    ) async throws -> ItemPage {
        try await ReadingItemPage(context)(identifier, in: storefront, promotions)
    }

    /// Answers a device that opens the page of an item.
    func itemPage(_ call: ItemCall, _ message: StoreMessage) async throws -> ItemCall.Answer {
        do {
            let item = try await item(call.item)
            return ItemCall.Answer(
                page: "\(publicURL)/\(item.folder)/\(item.identifier)", bundleIdentifier: item.app?.rawValue)
        } catch let error as DomainError where error.code == .notFound {
            return ItemCall.Answer()
        }
    }

    /// The item of an identifier.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func item(_ identifier: Int64) async throws -> Item {
        try await ReadingItemPage(context).item(identifier)
    }

    /// An image of an item.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func artwork(_ digest: String, of identifier: Int64) async throws -> ItemArtwork {
        try await ReadingItemPage(context).artwork(digest, of: identifier)
    }

    /// Whether an account owns an item.
    package func owns(_ item: Item, _ account: Account) async throws -> Bool {
        try await ReadingItemPage(context).owns(item, account)
    }

    /// Orders an item for a signed-in customer.
    ///
    /// `tokens` are those of the link that the customer has clicked in the day
    /// before.
    ///
    /// - Throws: The errors of `OrderingItem`.
    package func order(
        item: Int64, for account: Account, tokens: CampaignTokens? = nil
    ) async throws -> OrderingItem.Order {
        try requireCurrentSchema()
        try requireDeliverable()
        return try await OrderingItem(context)(item, for: account, tokens: tokens)
    }

    /// Begins the redemption of a promo code of an app for a signed-in customer.
    ///
    /// - Throws: The errors of `OrderingItem`.
    package func redemption(item: Int64, for account: Account) async throws -> OrderingItem.Order {
        try requireCurrentSchema()
        try requireDeliverable()
        return try await OrderingItem(context).redeem(item, for: account)
    }

    /// Counts the sales, and the purchases of campaigns, that aren't counted
    /// yet.
    package func countSales() async {
        do {
            try await CountingSales(context)()
            try await CountingCampaigns(context)()
        } catch {
            _ = failure(of: error, at: "counting sales")
        }
    }
}
