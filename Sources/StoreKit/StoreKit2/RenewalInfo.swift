// SPDX-License-Identifier: Apache-2.0

import AppReceipts
public import Foundation

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo {
    /// The renewal of a subscription.
    ///
    /// Two renewals are equal when the store's signed values of them are.
    public struct RenewalInfo: Sendable {
        /// The identifier of the subscription's first transaction.
        public let originalTransactionID: UInt64
        /// The product of the newest period.
        public let currentProductID: String
        /// Whether the store renews it.
        public let willAutoRenew: Bool
        /// The product of the next period; `nil` without one.
        public let autoRenewPreference: String?
        /// Why the subscription ended; `nil` while it runs.
        public let expirationReason: Product.SubscriptionInfo.RenewalInfo.ExpirationReason?
        /// Whether the customer has agreed to a higher price.
        public let priceIncreaseStatus: Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus
        /// Whether the store still tries to charge.
        public let isInBillingRetry: Bool
        /// Until when the subscription can be used while the store tries to
        /// charge.
        public let gracePeriodExpirationDate: Date?
        /// The offer of the next period; `nil` for the regular price.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public let offer: Transaction.Offer?
        /// The win-back offers that the customer may use now, the best one first.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public let eligibleWinBackOfferIDs: [String]
        /// The environment of the store.
        @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
        public let environment: AppStore.Environment
        /// The value that binds the signature to this device; see
        /// ``Transaction/deviceVerification``.
        public let deviceVerification: Data
        /// The nonce of ``deviceVerification``.
        public let deviceVerificationNonce: UUID
        /// When the store signed the value.
        public let signedDate: Date

        let signed: SignedText
        let payload: RenewalInfoPayload

        init(_ payload: RenewalInfoPayload, signed: SignedText) {
            self.payload = payload
            self.signed = signed
            originalTransactionID = UInt64(payload.originalTransactionId ?? "") ?? 0
            currentProductID = payload.productId ?? ""
            willAutoRenew = payload.autoRenewStatus == 1
            autoRenewPreference = payload.autoRenewStatus == 1 ? payload.autoRenewProductId : nil
            expirationReason = payload.expirationIntent.map { ExpirationReason(rawValue: Int($0)) }
            priceIncreaseStatus =
                switch payload.priceIncreaseStatus {
                case 0: .pending
                case 1: .agreed
                default: .noIncreasePending
                }
            isInBillingRetry = payload.isInBillingRetryPeriod ?? false
            gracePeriodExpirationDate = payload.gracePeriodExpiresDate
            offer = Transaction.Offer(
                type: payload.offerType, id: payload.offerIdentifier, mode: payload.offerDiscountType,
                period: payload.offerPeriod)
            eligibleWinBackOfferIDs = payload.eligibleWinBackOfferIds ?? []
            environment = AppStore.Environment(rawValue: payload.environment?.rawValue ?? "")
            deviceVerification = payload.deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data()
            deviceVerificationNonce = payload.deviceVerificationNonce.flatMap { UUID(uuidString: $0) } ?? .missing
            signedDate = payload.signedDate ?? .missing
        }

        /// The signed value as JSON.
        public var jsonRepresentation: Data { signed.payload }
        /// The start of the newest periods without a gap of more than 60 days.
        public var recentSubscriptionStartDate: Date { payload.recentSubscriptionStartDate ?? .missing }
        /// When the subscription renews, or ends.
        public var renewalDate: Date? { payload.renewalDate }
        /// The price of the next period; `nil` without one.
        public var renewalPrice: Decimal? { payload.renewalPrice.map { Decimal(milliunits: $0) } }
        /// The currency of the price.
        @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
        public var currency: Locale.Currency? { payload.currency.map { Locale.Currency($0) } }
        /// The app's identifier of its user.
        public var appAccountToken: UUID? { payload.appAccountToken.flatMap { UUID(uuidString: $0) } }
        /// The identifier of the customer's ``AppTransaction``; empty from a
        /// store that doesn't sign one.
        public var appTransactionID: String { payload.appTransactionId ?? "" }
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo.RenewalInfo: Equatable, Hashable {
    /// Whether the signed values are the same.
    public static func == (
        lhs: Product.SubscriptionInfo.RenewalInfo, rhs: Product.SubscriptionInfo.RenewalInfo
    ) -> Bool {
        lhs.payload == rhs.payload
    }

    /// Hashes the signed value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(payload)
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
    /// The signed value as JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
