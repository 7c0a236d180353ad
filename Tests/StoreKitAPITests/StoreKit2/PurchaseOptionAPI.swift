// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkPurchaseOptionAPI(
    _ signature: Product.SubscriptionOffer.Signature, _ offer: Product.SubscriptionOffer
) {
    let option: Product.PurchaseOption = .appAccountToken(UUID())
    let _: any Hashable & Sendable = option
    let _: String = option.debugDescription
    let _: Product.PurchaseOption = .quantity(1)
    let _: Product.PurchaseOption = .simulatesAskToBuyInSandbox(true)
    let _: Product.PurchaseOption = .onStorefrontChange { (storefront: Storefront) -> Bool in
        storefront.countryCode == "USA"
    }
    let _: Product.PurchaseOption = .promotionalOffer(
        offerID: "offer", keyID: "key", nonce: UUID(), signature: Data(), timestamp: 0)
    let _: Product.PurchaseOption = .promotionalOffer(offerID: "offer", signature: signature)
    let _: [Product.PurchaseOption] = Product.PurchaseOption.promotionalOffer("offer", compactJWS: "e30.e30.AA")
    let _: Product.PurchaseOption = .introductoryOfferEligibility(compactJWS: "e30.e30.AA")
    let _: Product.PurchaseOption = .winBackOffer(offer)
    let _: Product.PurchaseOption = .custom(key: "key", value: "text")
    let _: Product.PurchaseOption = .custom(key: "key", value: 1.5)
    let _: Product.PurchaseOption = .custom(key: "key", value: true)
    let _: Product.PurchaseOption = .custom(key: "key", value: Data())
    let _: Set<Product.PurchaseOption> = [option]
}
