// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreTestSupport
import Testing

@testable import StoreKit

/// The promotions that the device stores, without a store.
@Suite(.serialized, .oneAppAtATime)
struct PromotionTests {
    private let controller = SKProductStorePromotionController.default()
    private let apple = SKProduct()
    private let pear = SKProduct()

    init() {
        #expect(SharedStoreKit.isConfigured)
        apple.setValue("com.example.apple", forKey: "productIdentifier")
        pear.setValue("com.example.pear", forKey: "productIdentifier")
    }

    @Test("The device keeps the visibility of a product's promotion") func aProductsVisibilityIsKept() async throws {
        try await controller.update(promotionVisibility: .hide, for: apple)
        try await controller.update(promotionVisibility: .show, for: pear)
        #expect(try await controller.promotionVisibility(for: apple) == .hide)
        #expect(try await controller.promotionVisibility(for: pear) == .show)

        try await controller.update(promotionVisibility: .default, for: apple)
        #expect(try await controller.promotionVisibility(for: apple) == .default)
        let kept = try AgentHost.shared.agent().promotions.visibility
        #expect(kept == ["com.example.pear": 1])
    }

    @Test("The device keeps the promotion order, and reading it needs the store's products")
    func theOrderIsKeptAndReadWithTheStoresProducts() async throws {
        #expect(try await controller.promotionOrder().isEmpty)
        try await controller.update(promotionOrder: [pear, apple])

        #expect(try AgentHost.shared.agent().promotions.order == ["com.example.pear", "com.example.apple"])
        await #expect(throws: SKError.self) { _ = try await controller.promotionOrder() }
        try await controller.update(promotionOrder: [])
        #expect(try await controller.promotionOrder().isEmpty)
    }

    @Test("The promotion controller calls its handlers on the main queue")
    func handlersAreCalledOnTheMainQueue() async {
        await withCheckedContinuation { continuation in
            controller.fetchStorePromotionVisibility(for: apple) { visibility, error in
                dispatchPrecondition(condition: .onQueue(.main))
                #expect(error == nil && visibility == .default)
                continuation.resume()
            }
        }
    }

    @Test("StoreKit 2 has the order and the visibility of the same promotions")
    func infosAreThoseOfTheController() async throws {
        try await Product.PromotionInfo.updateAll([])
        try await controller.update(promotionVisibility: .hide, for: apple)
        try await controller.update(promotionVisibility: .default, for: pear)
        try await Product.PromotionInfo.updateProductOrder(byID: ["com.example.pear"])
        var infos = try await Product.PromotionInfo.currentOrder
        #expect(infos.map(\.productID) == ["com.example.pear", "com.example.apple"])
        #expect(infos.map(\.visibility) == [.appStoreConnectDefault, .hidden])

        infos[0].visibility = .visible
        try await infos[0].update()
        #expect(try await controller.promotionVisibility(for: pear) == .show)
        infos[1].visibility = .appStoreConnectDefault
        try await Product.PromotionInfo.updateAll(infos.reversed())
        #expect(try await Product.PromotionInfo.currentOrder == infos.reversed())
        #expect(try AgentHost.shared.agent().promotions.order == ["com.example.apple", "com.example.pear"])

        try await Product.PromotionInfo.updateProductVisibility(.appStoreConnectDefault, for: "com.example.pear")
        try await Product.PromotionInfo.updateAll([])
        #expect(try await Product.PromotionInfo.currentOrder.isEmpty)
    }
}
