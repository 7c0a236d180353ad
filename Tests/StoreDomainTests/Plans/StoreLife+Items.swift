// SPDX-License-Identifier: Apache-2.0

import StoreCore
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
        let record = try await store.context.write(for: carla.identifier) { db in
            guard let made = try Purchase.find(purchase, of: carla.identifier, db) else { return ItemPurchase?.none }
            try UncountedSale.noteDeletion(of: made, db)
            return try ItemPurchase.of(made, db)
        }
        #expect(record?.version == "1.0")
        try await readPages(of: carla)
        try await sellByCampaign(to: carla)
    }

    /// A customer buys after a click, and the campaign is counted and listed.
    private func sellByCampaign(to carla: Account) async throws {
        try await store.addItem(1003)
        let sheet = try await store.orderItem(1003, as: carla)
        let bought = try await store.service.buy(
            onSheet: sheet, as: carla, shown: nil, tokens: CampaignTokens("at=friends"))
        let purchase = try #require(bought.transactionIdentifier)
        let counting = CountingCampaigns(store.context)
        #expect(try await counting.list().map(\.purchases) == [1])
        #expect(try await counting.list(of: "Fruit Records").count == 1)
        let record = try await store.context.write(for: carla.identifier) { db in
            guard let made = try Purchase.find(purchase, of: carla.identifier, db) else {
                return CampaignPurchase?.none
            }
            let record = try CampaignPurchase.of(made, db)
            try CampaignPurchase.forget(made, db)
            return record
        }
        #expect(record?.milliunits == 990)
    }

    /// The public pages of items, with promoted products and those that were
    /// sold most often.
    private func readPages(of carla: Account) async throws {
        try await PromotingProducts(store.context)(
            ["juice", "apple"], of: BundleIdentifier(TestStore.bundleIdentifier))
        await store.service.countSales()
        let page = try await store.service.itemPage(1002, in: .unitedStates)
        #expect(page.promoted.map(\.productIdentifier) == ["juice", "apple"] && !page.top.isEmpty)
        let song = try await store.service.itemPage(1001, in: .unitedStates)
        let icon = try #require(song.icon)
        #expect(try await store.service.artwork(icon, of: 1001).bytes == TestStore.image)
        #expect(try await store.service.owns(song.item, carla))
    }
}
