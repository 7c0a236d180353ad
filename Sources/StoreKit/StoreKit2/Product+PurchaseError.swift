// SPDX-License-Identifier: Apache-2.0

public import Foundation

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// The reason why a product can't be bought as asked for.
    public enum PurchaseError: Error, Equatable, Hashable, Sendable {
        /// The quantity isn't from 1 to 10.
        case invalidQuantity
        /// The product isn't sold any more.
        case productUnavailable
        /// The device, or its owner, doesn't allow payments.
        case purchaseNotAllowed
        /// The customer may not have the offer.
        case ineligibleForOffer
        /// The product has no offer with this identifier.
        case invalidOfferIdentifier
        /// The offer's price isn't allowed any more.
        case invalidOfferPrice
        /// The signature of the offer is wrong.
        case invalidOfferSignature
        /// The offer lacks a parameter.
        case missingOfferParameters
        /// The app isn't set up for a payment method of its own. This store
        /// has none, and doesn't throw it.
        @available(iOS 26.5, macOS 26.5, tvOS 26.5, watchOS 26.5, visionOS 26.5, *)
        case paymentMethodBindingConfigurationRequired
    }
}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension Product.PurchaseError: LocalizedError {
    /// A sentence for a customer, in the language of the storefront.
    public var errorDescription: String? {
        switch self {
        case .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature,
            .missingOfferParameters:
            CustomerSentence.offer.text
        case .purchaseNotAllowed: CustomerSentence.restricted.text
        case .invalidQuantity, .productUnavailable, .paymentMethodBindingConfigurationRequired:
            CustomerSentence.unsold.text
        }
    }

    /// The reason.
    public var failureReason: String? {
        switch self {
        case .invalidQuantity: "The quantity isn't from 1 to 10."
        case .productUnavailable: "The product isn't sold any more."
        case .purchaseNotAllowed: "Payments aren't allowed on this device."
        case .ineligibleForOffer: "The customer isn't eligible for the offer."
        case .invalidOfferIdentifier: "The product has no such offer."
        case .invalidOfferPrice: "The offer's price isn't allowed any more."
        case .invalidOfferSignature: "The signature of the offer is wrong."
        case .missingOfferParameters: "The offer lacks a parameter."
        case .paymentMethodBindingConfigurationRequired: "The app isn't set up for its own payment method."
        }
    }

    /// The remedy.
    public var recoverySuggestion: String? {
        self == .purchaseNotAllowed ? "Allow payments in the device's settings." : nil
    }
}
