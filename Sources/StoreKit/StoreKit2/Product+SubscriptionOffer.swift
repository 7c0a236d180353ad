// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAPI

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// An offer of a subscription: other prices at its beginning.
    public struct SubscriptionOffer: Equatable, Hashable, Sendable {
        /// The identifier that the seller registered; `nil` for an
        /// introductory offer.
        public let id: String?
        /// The kind of the offer.
        public let type: Product.SubscriptionOffer.OfferType
        /// The price of a period.
        public let price: Decimal
        /// The price as the storefront writes it.
        public let displayPrice: String
        /// The length of a period.
        public let period: Product.SubscriptionPeriod
        /// The number of periods.
        public let periodCount: Int
        /// The time of the payment.
        public let paymentMode: Product.SubscriptionOffer.PaymentMode

        /// `nil` for an offer with a period that this version doesn't know.
        init?(_ offer: OfferInfo, prices: PriceText) {
            guard let period = SubscriptionPeriod(iso8601: offer.period) else { return nil }
            id = offer.identifier
            type = OfferType(offer.kind)
            price = Decimal(milliunits: offer.milliunits)
            displayPrice = prices.text(of: offer.milliunits)
            self.period = period
            periodCount = offer.periods
            paymentMode = PaymentMode(offer.paymentMode)
        }
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionOffer {
    /// The kind of an offer.
    public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
        /// The name in the store's information.
        public let rawValue: String

        /// A kind with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// For new subscribers.
        public static let introductory = Product.SubscriptionOffer.OfferType(rawValue: "IntroOffer")
        /// For customers whom the seller chooses.
        public static let promotional = Product.SubscriptionOffer.OfferType(rawValue: "AdhocOffer")
        /// For former subscribers.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public static let winBack = Product.SubscriptionOffer.OfferType(rawValue: "WinBackOffer")

        init(_ kind: OfferInfo.Kind) {
            switch kind {
            case .introductory: self = .introductory
            case .promotional: self = .promotional
            case .winBack: self = .winBack
            default: self.init(rawValue: kind.rawValue)
            }
        }

        /// The name for a customer, in English.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *)
        public var localizedDescription: String {
            switch self {
            case .introductory: "Introductory"
            case .promotional: "Promotional"
            case .winBack: "Win-back"
            default: rawValue
            }
        }
    }

    /// The time of an offer's payment.
    public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
        /// The name in the store's information.
        public let rawValue: String

        /// A mode with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer pays for each period.
        public static let payAsYouGo = Product.SubscriptionOffer.PaymentMode(rawValue: "PayAsYouGo")
        /// The customer pays for all periods at their beginning.
        public static let payUpFront = Product.SubscriptionOffer.PaymentMode(rawValue: "PayUpFront")
        /// The customer doesn't pay.
        public static let freeTrial = Product.SubscriptionOffer.PaymentMode(rawValue: "FreeTrial")

        init(_ mode: OfferInfo.PaymentMode) {
            switch mode {
            case .free: self = .freeTrial
            case .payAsYouGo: self = .payAsYouGo
            case .payUpFront: self = .payUpFront
            default: self.init(rawValue: mode.rawValue)
            }
        }

        /// The name for a customer, in English.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *)
        public var localizedDescription: String {
            switch self {
            case .payAsYouGo: "Pay As You Go"
            case .payUpFront: "Pay Up Front"
            case .freeTrial: "Free Trial"
            default: rawValue
            }
        }
    }

    /// The seller's signature of a promotional offer for one customer.
    @available(iOS, introduced: 17.4, deprecated: 26.0)
    @available(macOS, introduced: 14.4, deprecated: 26.0)
    @available(tvOS, introduced: 17.4, deprecated: 26.0)
    @available(watchOS, introduced: 10.4, deprecated: 26.0)
    @available(visionOS, introduced: 1.1, deprecated: 26.0)
    public struct Signature: Equatable, Hashable, Sendable {
        /// The identifier of the key that made the signature.
        public var keyID: String
        /// The value that makes the signature unique.
        public var nonce: UUID
        /// When it was made, in milliseconds since 1970.
        public var timestamp: Int
        /// The signature of ECDSA with SHA-256, in DER.
        public var signature: Data

        /// A signature.
        public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
            self.keyID = keyID
            self.nonce = nonce
            self.timestamp = timestamp
            self.signature = signature
        }
    }
}
