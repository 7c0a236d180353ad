// SPDX-License-Identifier: Apache-2.0

import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The order of promoted products that an app has set on one device.
struct DevicePromotionsTests {
    private static let sellers: [ProductIdentifier] = ["apple", "pear", "juice"]

    @Test("A device's order comes first, and all other products keep the seller's")
    func order() {
        let promotions = DevicePromotions(order: ["juice", "plum", "juice"])
        #expect(promotions.applied(to: Self.sellers) == ["juice", "apple", "pear"])
        #expect(DevicePromotions().applied(to: Self.sellers) == Self.sellers)
    }

    @Test("A device hides a promoted product, and shows one that the seller doesn't promote")
    func visibility() {
        let promotions = DevicePromotions(order: ["seed", "pear"], shown: ["seed"], hidden: ["pear"])
        #expect(promotions.applied(to: Self.sellers) == ["seed", "apple", "juice"])
    }

    @Test("A named product is before all others, if it is promoted")
    func first() {
        #expect(
            DevicePromotions(first: "juice", order: ["pear"]).applied(to: Self.sellers) == ["juice", "pear", "apple"])
        #expect(DevicePromotions(first: "plum").applied(to: Self.sellers) == Self.sellers)
        #expect(DevicePromotions(first: "pear", hidden: ["pear"]).applied(to: Self.sellers) == ["apple", "juice"])
    }

    @Test("A page shows no more promoted products than a seller may promote")
    func limit() {
        let shown = (1...30).map { ProductIdentifier("p\($0)") }
        #expect(DevicePromotions(shown: shown).applied(to: Self.sellers).count == PromotedProduct.limit)
    }

    @Test("A device shows a product of the catalogue only, and none that isn't sold", arguments: Engine.stores)
    func page(engine: Engine) async throws {
        try await engine.withStore { store in
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            try await store.addItem(5, app: app)
            try await PromotingProducts(store.context)(["pear", "apple"], of: app)
            let promotions = DevicePromotions(order: ["apple"], shown: ["juice", "nothing"])
            let page = try await store.service.itemPage(5, in: .unitedStates, promotions)
            #expect(page.promoted.map(\.productIdentifier) == ["apple", "pear", "juice"])
        }
    }
}
