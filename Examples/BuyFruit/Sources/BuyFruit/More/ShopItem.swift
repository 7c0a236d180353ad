// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// An app or another medium of the same shop: an entry of `More.plist`.
struct ShopItem: Decodable, Sendable {
    var title: String
    var detail: String
    /// The number of its page in the store.
    var item: Int
    var productIdentifier: String?
    var affiliateToken: String?
    var campaignToken: String?
    var providerToken: String?
    var advertisingPartnerToken: String?
    var customProductPageIdentifier: String?

    private enum CodingKeys: String, CodingKey {
        case title = "Title"
        case detail = "Detail"
        case item = "Item"
        case productIdentifier = "ProductIdentifier"
        case affiliateToken = "AffiliateToken"
        case campaignToken = "CampaignToken"
        case providerToken = "ProviderToken"
        case advertisingPartnerToken = "AdvertisingPartnerToken"
        case customProductPageIdentifier = "CustomProductPageIdentifier"
    }

    /// The parameters of its product page.
    var parameters: [String: Any] {
        let texts = [
            SKStoreProductParameterProductIdentifier: productIdentifier,
            SKStoreProductParameterAffiliateToken: affiliateToken,
            SKStoreProductParameterCampaignToken: campaignToken,
            SKStoreProductParameterProviderToken: providerToken,
            SKStoreProductParameterAdvertisingPartnerToken: advertisingPartnerToken,
            SKStoreProductParameterCustomProductPageIdentifier: customProductPageIdentifier,
        ]
        var parameters: [String: Any] = texts.compactMapValues { $0 }
        parameters[SKStoreProductParameterITunesItemIdentifier] = NSNumber(value: item)
        return parameters
    }

    static let bundled: [ShopItem] = {
        do {
            return try PropertyListDecoder().decode([ShopItem].self, from: Resource.data("More.plist"))
        } catch {
            fatalError("More.plist of BuyFruit's bundle can't be read: \(error)")
        }
    }()
}
