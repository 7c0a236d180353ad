// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

// The earlier names of properties, for older systems.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction {
    /// The kind of the offer.
    @available(iOS, deprecated: 17.2)
    @available(macOS, deprecated: 14.2)
    @available(tvOS, deprecated: 17.2)
    @available(watchOS, deprecated: 10.2)
    @available(visionOS, deprecated: 1.1)
    public var offerType: Transaction.OfferType? { payload.offerType.map { OfferType(rawValue: Int($0)) } }

    /// The identifier of the offer.
    @available(iOS, deprecated: 17.2)
    @available(macOS, deprecated: 14.2)
    @available(tvOS, deprecated: 17.2)
    @available(watchOS, deprecated: 10.2)
    @available(visionOS, deprecated: 1.1)
    public var offerID: String? { payload.offerIdentifier }

    /// The time of the offer's payment.
    @available(iOS, deprecated: 17.2)
    @available(macOS, deprecated: 14.2)
    @available(tvOS, deprecated: 17.2)
    @available(watchOS, deprecated: 10.2)
    @available(visionOS, deprecated: 1.1)
    public var offerPaymentModeStringRepresentation: String? { payload.offerDiscountType }

    /// The length of the offer in ISO 8601.
    @available(iOS, deprecated: 18.4)
    @available(macOS, deprecated: 15.4)
    @available(tvOS, deprecated: 18.4)
    @available(watchOS, deprecated: 11.4)
    @available(visionOS, deprecated: 2.4)
    public var offerPeriodStringRepresentation: String? { payload.offerPeriod }

    /// The name of the revocation's type in signed values; `nil` without one.
    @available(iOS, deprecated: 26.4)
    @available(macOS, deprecated: 26.4)
    @available(tvOS, deprecated: 26.4)
    @available(watchOS, deprecated: 26.4)
    @available(visionOS, deprecated: 26.4)
    public var revocationTypeStringRepresentation: String? { payload.revocationType }

    /// The environment of the store.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    public var environmentStringRepresentation: String { payload.environment?.rawValue ?? "" }

    /// Whether the customer or the store has made it.
    @available(iOS, deprecated: 17.0)
    @available(macOS, deprecated: 14.0)
    @available(tvOS, deprecated: 17.0)
    @available(watchOS, deprecated: 10.0)
    public var reasonStringRepresentation: String { payload.transactionReason ?? "PURCHASE" }

    /// The country of the storefront.
    @available(iOS, deprecated: 17.0)
    @available(macOS, deprecated: 14.0)
    @available(tvOS, deprecated: 17.0)
    @available(watchOS, deprecated: 10.0)
    public var storefrontCountryCode: String { payload.storefront ?? "" }

    /// The currency of the price, ISO 4217.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    public var currencyCode: String? { payload.currency }
}
