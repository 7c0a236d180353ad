// SPDX-License-Identifier: Apache-2.0

/// The key of the number of an item: an `NSNumber`, another integer, or its
/// decimal text.
public let SKStoreProductParameterITunesItemIdentifier: String = "id"

/// The key of the identifier of a promoted in-app purchase, which the page of an
/// app shows before the others.
public let SKStoreProductParameterProductIdentifier: String = "productIdentifier"

/// The key of the identifier of a custom product page. This store keeps it with
/// the purchases, and shows the one page of the item.
public let SKStoreProductParameterCustomProductPageIdentifier: String = "ppid"

/// The key of an affiliate's token.
public let SKStoreProductParameterAffiliateToken: String = "at"

/// The key of the token of a campaign.
public let SKStoreProductParameterCampaignToken: String = "ct"

/// The key of the token of the provider of a campaign.
public let SKStoreProductParameterProviderToken: String = "pt"

/// The key of the token of an advertising partner.
public let SKStoreProductParameterAdvertisingPartnerToken: String = "advp"
