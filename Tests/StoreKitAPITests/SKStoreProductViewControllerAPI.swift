// SPDX-License-Identifier: Apache-2.0

import StoreKit

@MainActor
func checkSKStoreProductViewControllerAPI(_ delegate: any SKStoreProductViewControllerDelegate) {
    let controller: SKStoreProductViewController = SKStoreProductViewController()
    let _: NSObject = controller
    controller.delegate = delegate
    controller.delegate = nil
    let _: (any SKStoreProductViewControllerDelegate)? = controller.delegate
    let parameters: [String: Any] = [SKStoreProductParameterITunesItemIdentifier: NSNumber(value: 1001)]
    let block: (Bool, (any Error)?) -> Void = { _, _ in }
    let _: () = controller.loadProduct(withParameters: parameters, completionBlock: block)
    let _: () = controller.loadProduct(withParameters: parameters)
    delegate.productViewControllerDidFinish(controller)
    delegate.productViewControllerDidFinish?(controller)
    // Additions to Apple's API.
    let _: () = controller.present { (error: (any Error)?) in }
    let _: () = controller.present()
}

@MainActor
func checkSKStoreProductViewControllerAsyncAPI(_ controller: SKStoreProductViewController) async throws {
    let _: Bool = try await controller.loadProduct(withParameters: [SKStoreProductParameterITunesItemIdentifier: 1001])
    let _: () = try await controller.present()
}

func checkSKStoreProductParameters() {
    let _: String = SKStoreProductParameterITunesItemIdentifier
    let _: String = SKStoreProductParameterProductIdentifier
    let _: String = SKStoreProductParameterCustomProductPageIdentifier
    let _: String = SKStoreProductParameterAffiliateToken
    let _: String = SKStoreProductParameterCampaignToken
    let _: String = SKStoreProductParameterProviderToken
    let _: String = SKStoreProductParameterAdvertisingPartnerToken
}

/// An app's delegate, with the method and without it.
final class ProductPageDelegate: NSObject, SKStoreProductViewControllerDelegate {
    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {}
}

final class SilentProductPageDelegate: NSObject, SKStoreProductViewControllerDelegate {}

class DerivedProductPage: SKStoreProductViewController {
    override func loadProduct(
        withParameters parameters: [String: Any], completionBlock block: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        super.loadProduct(withParameters: parameters, completionBlock: block)
    }
}
