// SPDX-License-Identifier: Apache-2.0

import Foundation

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction {
    /// The kind of an offer.
    public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
        /// The number in signed values.
        public let rawValue: Int

        /// A kind with a number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// For new subscribers.
        public static let introductory = Transaction.OfferType(rawValue: 1)
        /// For customers whom the seller chooses.
        public static let promotional = Transaction.OfferType(rawValue: 2)
        /// By a code.
        public static let code = Transaction.OfferType(rawValue: 3)
        /// For former subscribers.
        public static let winBack = Transaction.OfferType(rawValue: 4)

        /// The name for a customer, in English.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *)
        public var localizedDescription: String {
            switch self {
            case .introductory: "Introductory"
            case .promotional: "Promotional"
            case .code: "Code"
            case .winBack: "Win-back"
            default: "\(rawValue)"
            }
        }
    }

    /// The reason of a revocation.
    public struct RevocationReason: RawRepresentable, Equatable, Hashable, Sendable {
        /// The number in signed values.
        public let rawValue: Int

        /// A reason with a number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// A problem of the app.
        public static let developerIssue = Transaction.RevocationReason(rawValue: 1)
        /// Another reason.
        public static let other = Transaction.RevocationReason(rawValue: 0)

        /// The name for a customer, in English.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *)
        public var localizedDescription: String { self == .developerIssue ? "Developer Issue" : "Other" }
    }

    /// Whether the customer has bought a product, or a member of the family.
    public struct OwnershipType: RawRepresentable, Equatable, Hashable, Sendable {
        /// The name in signed values.
        public let rawValue: String

        /// A type with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer has bought it.
        public static let purchased = Transaction.OwnershipType(rawValue: "PURCHASED")
        /// A member of the family shares it.
        public static let familyShared = Transaction.OwnershipType(rawValue: "FAMILY_SHARED")
        /// The subscriber has assigned one of several seats to the customer.
        public static let assigned = Transaction.OwnershipType(rawValue: "ASSIGNED")

        /// The name for a customer, in English.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *)
        public var localizedDescription: String {
            switch self {
            case .purchased: "Purchased"
            case .familyShared: "Family Shared"
            case .assigned: "Assigned"
            default: rawValue
            }
        }
    }

    /// Whether the customer or the store has made a transaction.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
        /// The name in signed values.
        public let rawValue: String

        /// A reason with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer has bought it.
        public static let purchase = Transaction.Reason(rawValue: "PURCHASE")
        /// The store has renewed a subscription.
        public static let renewal = Transaction.Reason(rawValue: "RENEWAL")
    }

    /// The offer with which a transaction was bought.
    @available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *)
    public struct Offer: Equatable, Hashable, Sendable {
        /// The identifier that the seller registered, or a code; `nil` for an
        /// introductory offer.
        public let id: String?
        /// The kind of the offer.
        public let type: Transaction.OfferType
        /// The time of the payment.
        public let paymentMode: Transaction.Offer.PaymentMode?
        /// The length of the offer.
        @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
        public let period: Product.SubscriptionPeriod?

        /// `nil` without a kind.
        init?(type: Int64?, id: String?, mode: String?, period: String?) {
            guard let type else { return nil }
            self.type = OfferType(rawValue: Int(type))
            self.id = id
            paymentMode = mode.map { PaymentMode(rawValue: $0) }
            self.period = period.flatMap { Product.SubscriptionPeriod(iso8601: $0) }
        }

        /// The time of an offer's payment.
        public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
            /// The name in signed values.
            public let rawValue: String

            /// A mode with a name.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The customer doesn't pay.
            public static let freeTrial = Transaction.Offer.PaymentMode(rawValue: "FREE_TRIAL")
            /// The customer pays for each period.
            public static let payAsYouGo = Transaction.Offer.PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// The customer pays for all periods at their beginning.
            public static let payUpFront = Transaction.Offer.PaymentMode(rawValue: "PAY_UP_FRONT")
            /// The customer pays once, for a product that isn't a subscription.
            public static let oneTime = Transaction.Offer.PaymentMode(rawValue: "ONE_TIME")
        }
    }
}
