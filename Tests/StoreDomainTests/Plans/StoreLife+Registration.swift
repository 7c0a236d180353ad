// SPDX-License-Identifier: Apache-2.0

import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

extension StoreLife {
    /// A team registers apps and products, which the operator reviews.
    func register(as holder: TeamUser) async throws {
        let (service, app) = (store.service, BundleIdentifier(TestStore.bundleIdentifier))
        let registering = try service.registeringApp()
        _ = try await registering(
            AppRegistration.Values(
                bundleIdentifier: "com.example.basket", name: "Basket", sku: "1", primaryLocale: "en_US"), by: holder)
        try await registering.setName("Fruit Shop", of: app, version: 0, by: holder)
        try await store.registerProduct("basket.subscription", kind: .autoRenewable, by: holder)
        try await store.registerProduct("basket.banana", by: holder)
        let products = try service.registeringProduct()
        try await products.change(
            "basket.banana", of: app, to: TestStore.productValues(tier: "2"), version: 1, by: holder)
        let changed = try await store.registration("basket.banana", as: holder)
        try await products.submit("basket.banana", of: app, version: changed.version, by: holder)
        let reviewing = ReviewingProducts(store.context)
        let queue = try await reviewing.queue()
        #expect(queue.map(\.product) == ["basket.banana"])
        try await reviewing.decide(.approve, on: "basket.banana", of: app)
        let reader = service.appReader
        _ = try await reader.apps(as: holder)
        _ = try await reader.products(of: app, as: holder)
        _ = try await reader.groups(of: app, as: holder)
    }
}
