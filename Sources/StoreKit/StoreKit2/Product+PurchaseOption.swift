// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAPI

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// A detail of a purchase.
    ///
    /// ```swift
    /// let result = try await product.purchase(options: [.quantity(2), .appAccountToken(user)])
    /// ```
    public struct PurchaseOption: Equatable, Hashable, Sendable {
        enum Value: Hashable, Sendable {
            case appAccountToken(UUID)
            case quantity(Int)
            case simulatesAskToBuy(Bool)
            case offer(SignedOffer)
            case winBackOffer(String)
            case introductoryOfferEligibility(String)
            case custom(String, CustomValue)
            case test(TestPurchaseOption)
            case storefrontChange(StorefrontChange)
        }

        enum CustomValue: Hashable, Sendable {
            case text(String)
            case number(Double)
            case boolean(Bool)
            case data(Data)
        }

        /// A promotional offer. Two that differ only in their signatures are
        /// equal, as with Apple's StoreKit: each signature of the same values
        /// has other bytes.
        struct SignedOffer: Hashable, Sendable {
            let info: DiscountInfo

            private var unsigned: DiscountInfo {
                var info = info
                info.signature = ""
                return info
            }

            static func == (lhs: SignedOffer, rhs: SignedOffer) -> Bool { lhs.unsigned == rhs.unsigned }

            func hash(into hasher: inout Hasher) {
                hasher.combine(unsigned)
            }
        }

        /// A handler, equal to itself only.
        final class StorefrontChange: Hashable, Sendable {
            let shouldContinue: @Sendable (Storefront) -> Bool

            init(_ shouldContinue: @escaping @Sendable (Storefront) -> Bool) {
                self.shouldContinue = shouldContinue
            }

            static func == (lhs: StorefrontChange, rhs: StorefrontChange) -> Bool { lhs === rhs }

            func hash(into hasher: inout Hasher) {
                hasher.combine(ObjectIdentifier(self))
            }
        }

        let value: Value

        init(value: Value) {
            self.value = value
        }

        private init(_ offer: DiscountInfo) {
            value = .offer(SignedOffer(info: offer))
        }

        /// The app's identifier of its user, which the transaction has.
        public static func appAccountToken(_ token: UUID) -> Product.PurchaseOption {
            PurchaseOption(value: .appAccountToken(token))
        }

        /// The number of units, from 1 to 10.
        public static func quantity(_ quantity: Int) -> Product.PurchaseOption {
            PurchaseOption(value: .quantity(quantity))
        }

        /// Whether the sandbox simulates that another person has to approve the
        /// purchase.
        public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> Product.PurchaseOption {
            PurchaseOption(value: .simulatesAskToBuy(simulateAskToBuy))
        }

        /// Asks whether to go on when the customer's storefront changes during
        /// the purchase. Without it, the purchase goes on.
        @preconcurrency public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> Product.PurchaseOption {
            PurchaseOption(value: .storefrontChange(StorefrontChange(shouldContinuePurchase)))
        }

        /// A promotional offer with the seller's signature. The timestamp is in
        /// milliseconds since 1970.
        @available(iOS, deprecated: 26.0)
        @available(macOS, deprecated: 26.0)
        @available(tvOS, deprecated: 26.0)
        @available(watchOS, deprecated: 26.0)
        @available(visionOS, deprecated: 26.0)
        public static func promotionalOffer(
            offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
        ) -> Product.PurchaseOption {
            PurchaseOption(
                DiscountInfo(
                    identifier: offerID, keyIdentifier: keyID, nonce: nonce.uuidString.lowercased(),
                    signature: signature.base64EncodedString(), timestamp: Int64(timestamp)))
        }

        /// A promotional offer with the seller's signature.
        @available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
        @available(iOS, deprecated: 26.0)
        @available(macOS, deprecated: 26.0)
        @available(tvOS, deprecated: 26.0)
        @available(watchOS, deprecated: 26.0)
        @available(visionOS, deprecated: 26.0)
        public static func promotionalOffer(
            offerID: String, signature: Product.SubscriptionOffer.Signature
        ) -> Product.PurchaseOption {
            PurchaseOption(
                DiscountInfo(
                    identifier: offerID, keyIdentifier: signature.keyID,
                    nonce: signature.nonce.uuidString.lowercased(),
                    signature: signature.signature.base64EncodedString(), timestamp: Int64(signature.timestamp)))
        }

        /// A promotional offer that the seller's server has signed as a JWS.
        public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [Product.PurchaseOption] {
            [
                PurchaseOption(
                    DiscountInfo(
                        identifier: offerID, keyIdentifier: "", nonce: "", signature: "", timestamp: 0,
                        token: compactJWS))
            ]
        }

        /// A win-back offer, one of ``SubscriptionInfo/winBackOffers``. The
        /// purchase fails with ``PurchaseError/ineligibleForOffer`` if the
        /// customer may not use it.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public static func winBackOffer(_ offer: Product.SubscriptionOffer) -> Product.PurchaseOption {
            PurchaseOption(value: .winBackOffer(offer.id ?? ""))
        }

        /// The seller's decision whether the customer gets the introductory
        /// offer, which the seller's server has signed as a JWS. Without it, a
        /// customer has the offer of a group once.
        public static func introductoryOfferEligibility(compactJWS: String) -> Product.PurchaseOption {
            PurchaseOption(value: .introductoryOfferEligibility(compactJWS))
        }
    }
}

// Options whose keys a store defines. This store defines none, so that they
// change nothing.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.PurchaseOption {
    /// A text under a key.
    public static func custom(key: String, value: String) -> Product.PurchaseOption {
        Product.PurchaseOption(value: .custom(key, .text(value)))
    }

    /// A number under a key.
    public static func custom(key: String, value: Double) -> Product.PurchaseOption {
        Product.PurchaseOption(value: .custom(key, .number(value)))
    }

    /// A truth value under a key.
    public static func custom(key: String, value: Bool) -> Product.PurchaseOption {
        Product.PurchaseOption(value: .custom(key, .boolean(value)))
    }

    /// Bytes under a key.
    public static func custom(key: String, value: Data) -> Product.PurchaseOption {
        Product.PurchaseOption(value: .custom(key, .data(value)))
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.PurchaseOption: CustomDebugStringConvertible {
    /// The option and its value; without signatures.
    public var debugDescription: String {
        switch value {
        case .appAccountToken(let token): "appAccountToken(\(token.uuidString))"
        case .quantity(let quantity): "quantity(\(quantity))"
        case .simulatesAskToBuy(let simulates): "simulatesAskToBuyInSandbox(\(simulates))"
        case .offer(let offer): "promotionalOffer(\(offer.info.identifier))"
        case .winBackOffer(let offer): "winBackOffer(\(offer))"
        case .introductoryOfferEligibility: "introductoryOfferEligibility"
        case .custom(let key, _): "custom(\(key))"
        case .test(let option): "\(option)"
        case .storefrontChange: "onStorefrontChange"
        }
    }
}
