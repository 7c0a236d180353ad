// SPDX-License-Identifier: Apache-2.0

import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

extension StoreLife {
    /// Items are added and listed, and one is bought.
    func sellItems() async throws {
        try await store.addItem(1001, images: 1)
        try await store.addItem(1002, app: BundleIdentifier(TestStore.bundleIdentifier))
        #expect(try await ListingItems(store.context)().count == 2)
        let carla = try await store.addAccount("carla@example.com")
        let bought = try await store.buyItem(1001, as: carla)
        let purchase = try #require(bought.transactionIdentifier)
        let record = try await store.context.read { db in
            try Purchase.find(purchase, of: carla.identifier, db).flatMap { try ItemPurchase.of($0, db) }
        }
        #expect(record?.version == "1.0")
    }
}
