// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkSKProductStorePromotionControllerAPI(_ product: SKProduct) {
    let controller: SKProductStorePromotionController = SKProductStorePromotionController.default()
    let _: NSObject = controller
    let _: SKProductStorePromotionController = SKProductStorePromotionController()
    let visibilityHandler: (SKProductStorePromotionVisibility, (any Error)?) -> Void = { _, _ in }
    let orderHandler: ([SKProduct], (any Error)?) -> Void = { _, _ in }
    let errorHandler: ((any Error)?) -> Void = { _ in }
    let _: () = controller.fetchStorePromotionVisibility(for: product, completionHandler: visibilityHandler)
    let _: () = controller.fetchStorePromotionVisibility(for: product)
    let _: () = controller.update(storePromotionVisibility: .show, for: product, completionHandler: errorHandler)
    let _: () = controller.update(storePromotionVisibility: .show, for: product)
    let _: () = controller.fetchStorePromotionOrder(completionHandler: orderHandler)
    let _: () = controller.fetchStorePromotionOrder()
    let _: () = controller.update(storePromotionOrder: [product], completionHandler: errorHandler)
    let _: () = controller.update(storePromotionOrder: [product])
}

func checkSKProductStorePromotionControllerAsyncAPI(_ product: SKProduct) async throws {
    let controller = SKProductStorePromotionController.default()
    let _: SKProductStorePromotionVisibility = try await controller.promotionVisibility(for: product)
    let _: () = try await controller.update(promotionVisibility: .hide, for: product)
    let _: [SKProduct] = try await controller.promotionOrder()
    let _: () = try await controller.update(promotionOrder: [product])
}

func checkSKProductStorePromotionVisibilityAPI(_ visibility: SKProductStorePromotionVisibility) -> Int {
    let _: SKProductStorePromotionVisibility? = SKProductStorePromotionVisibility(rawValue: 0)
    switch visibility {
    case .default, .show, .hide: return visibility.rawValue
    }
}

class DerivedPromotionController: SKProductStorePromotionController {
    override func fetchStorePromotionOrder(completionHandler: (([SKProduct], (any Error)?) -> Void)? = nil) {
        completionHandler?([], nil)
    }
}
