// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The items that customers buy on pages of the store, and the numbers of sales
/// that those pages use.
extension StoreService {
    /// An item with all that its public page shows.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func itemPage(_ identifier: Int64, in storefront: Storefront) async throws -> ItemPage {
        try await ReadingItemPage(context)(identifier, in: storefront)
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
    /// - Throws: The errors of `OrderingItem`.
    package func order(item: Int64, for account: Account) async throws -> OrderingItem.Order {
        try requireCurrentSchema()
        try requireDeliverable()
        return try await OrderingItem(context)(item, for: account)
    }

    /// Counts the sales that aren't counted yet.
    package func countSales() async {
        do {
            try await CountingSales(context)()
        } catch {
            _ = failure(of: error, at: "counting sales")
        }
    }
}
