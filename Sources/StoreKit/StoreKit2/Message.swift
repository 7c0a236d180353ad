// SPDX-License-Identifier: Apache-2.0

import StoreAgent

/// A message of the store for the customer, which the app shows at a moment
/// that suits it.
///
/// ```swift
/// for await message in Message.messages where message.reason == .billingIssue {
///     try await message.display()
/// }
/// ```
///
/// Without a listener, StoreKit shows the sheet for a higher price itself, and
/// no other message.
@available(iOS 16.0, visionOS 1.0, *)
@available(macOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
public struct Message: Equatable, Hashable, Sendable {
    /// The subject of the message.
    public let reason: Message.Reason

    /// The name of the price increase, or of the subscription with its period
    /// or offer. Two messages with one subject are the same.
    let subject: String
    /// The product and the win-back offer that the message offers.
    let offer: Offer?

    struct Offer: Hashable, Sendable {
        let product: String
        let offer: String
    }

    init(_ reason: Reason, _ subject: String, offer: Offer? = nil) {
        self.reason = reason
        self.subject = subject
        self.offer = offer
    }

    /// The subject of a message.
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
        /// The number of the subject.
        public let rawValue: Int

        /// A subject with a number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Any subject. This store sends none of it.
        public static let generic = Message.Reason(rawValue: 0)
        /// The charge of a subscription fails.
        @available(iOS 16.4, *)
        public static let billingIssue = Message.Reason(rawValue: 1)
        /// The higher price of a subscription waits for the customer's consent.
        public static let priceIncreaseConsent = Message.Reason(rawValue: 2)
        /// The customer may come back to a subscription with an offer.
        @available(iOS 18.0, visionOS 2.0, *)
        public static let winBackOffer = Message.Reason(rawValue: 3)

        /// The name for a customer, in English.
        public var localizedDescription: String {
            switch self {
            case .generic: "Generic"
            case .billingIssue: "Billing Issue"
            case .priceIncreaseConsent: "Price Increase Consent"
            case .winBackOffer: "Win-back Offer"
            default: "\(rawValue)"
            }
        }
    }
}
