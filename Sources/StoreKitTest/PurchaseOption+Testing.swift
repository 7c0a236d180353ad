// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import StoreKit

// Options of purchases that a session makes. `Product.purchase(options:)` throws
// `StoreKitError.unsupported` for them.
extension StoreKit.Product.PurchaseOption {
    /// A promotional offer, without a signature of the seller.
    public static func promotionalOffer(id identifier: String) -> StoreKit.Product.PurchaseOption {
        StoreKit.Product.PurchaseOption(.promotionalOffer(identifier))
    }

    /// The offer of a code, by its reference name in the configuration file.
    public static func codeOffer(referenceName: String) -> StoreKit.Product.PurchaseOption {
        StoreKit.Product.PurchaseOption(.codeOffer(referenceName))
    }

    /// An earlier date of the purchase. A subscription renews until the session's
    /// present time, or is turned off after its purchase.
    public static func purchaseDate(
        _ date: Date, renewalBehavior: SubscriptionRenewalBehavior = .renewUntilNow
    ) -> StoreKit.Product.PurchaseOption {
        StoreKit.Product.PurchaseOption(.purchaseDate(date, renews: renewalBehavior == .renewUntilNow))
    }

    /// The renewals of a subscription with an earlier date.
    public enum SubscriptionRenewalBehavior: Codable, Hashable, Sendable {
        /// It renews until the present time.
        case renewUntilNow
        /// Its renewal is turned off after the purchase.
        case cancelImmediately
    }
}
