// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreAgent

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// Requests products from the store.
    ///
    /// Identifiers without a product, and those that aren't sold in the
    /// customer's storefront, are left out.
    ///
    /// - Throws: ``StoreKitError``, `CancellationError`.
    public static func products<Identifiers>(for identifiers: Identifiers) async throws -> [Product]
    where Identifiers: Collection, Identifiers.Element == String {
        let identifiers = Array(identifiers)
        let answer = try await AgentHost.shared.perform(.loadProducts) { try await $0.products(identifiers) }
        return answer.products.map { Product($0, storefront: answer.storefront) }
    }
}
