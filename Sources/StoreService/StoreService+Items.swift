// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The items that customers buy on pages of the store.
extension StoreService {
    /// Orders an item for a signed-in customer.
    ///
    /// - Throws: The errors of `OrderingItem`.
    package func order(item: Int64, for account: Account) async throws -> OrderingItem.Order {
        try requireCurrentSchema()
        try requireDeliverable()
        return try await OrderingItem(context)(item, for: account)
    }
}
