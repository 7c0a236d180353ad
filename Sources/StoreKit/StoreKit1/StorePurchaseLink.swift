// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// The address of a purchase that the customer began outside the app:
/// `itms-services://?action=purchaseIntent&bundleId=…&productIdentifier=…`,
/// with `&offerIdentifier=…` for a win-back offer.
struct StorePurchaseLink: Hashable {
    let bundleIdentifier: String
    let productIdentifier: String
    let offerIdentifier: String?

    /// Reads a URL; `nil` when it isn't such a purchase.
    init?(_ url: URL) {
        guard url.scheme?.lowercased() == "itms-services",
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        else { return nil }
        func value(_ names: String...) -> String? {
            items.first { names.contains($0.name) }?.value.flatMap { $0.isEmpty ? nil : $0 }
        }
        guard value("action") == "purchaseIntent", let bundle = value("bundleId", "bundleIdentifier"),
            let product = value("productIdentifier")
        else { return nil }
        bundleIdentifier = bundle
        productIdentifier = product
        offerIdentifier = value("offerIdentifier")
    }

    /// The purchases among the arguments of the process.
    static func all(in arguments: [String]) -> [StorePurchaseLink] {
        arguments.dropFirst().compactMap { URL(string: $0).flatMap(StorePurchaseLink.init) }
    }
}

/// A purchase that the customer began outside the app, with its product.
struct OutsidePurchase {
    let product: SKProduct
    /// The purchase for StoreKit 2.
    let intent: PurchaseIntent

    /// `nil` if the store doesn't sell the product.
    init?(_ answer: ProductsCall.Answer, _ link: StorePurchaseLink) {
        guard let info = answer.products.first else { return nil }
        product = SKProduct(info)
        let listed = Product(info, storefront: answer.storefront)
        let offer = listed.subscription?.winBackOffers.first { $0.id == link.offerIdentifier }
        intent = PurchaseIntent(product: listed, offer: offer)
    }
}
