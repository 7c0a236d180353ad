// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The payload of signed renewal info: `JWSRenewalInfoDecodedPayload` of the
/// App Store Server API.
public struct RenewalInfoPayload: SignedPayload {
    /// All fields, including those that ``Fields`` doesn't have.
    public var members: [String: JSONValue] = [:]

    /// A payload without fields.
    public init() {}

    /// The fields that have a name and a type.
    public static let fields = Fields()
    /// The types that the values of the fields must have.
    public static let types = PayloadTypes(of: Fields())

    /// When the store signed the payload.
    public var dateOfSigning: Date? { self.signedDate }
    /// Nil, because renewal info names no app.
    public var statedBundleIdentifier: String? { nil }
    /// The environment.
    public var statedEnvironment: PayloadEnvironment? { self.environment }
    /// False, because renewal info names no app.
    public static var statesBundleIdentifier: Bool { false }

    /// The fields that have a name and a type.
    public struct Fields: Sendable {
        /// The subscription's first transaction.
        public let originalTransactionId = PayloadField<String>("originalTransactionId")
        /// The product that is subscribed to.
        public let productId = PayloadField<String>("productId")
        /// The product that the next period is for.
        public let autoRenewProductId = PayloadField<String>("autoRenewProductId")
        /// Whether the subscription renews: 1, or 0.
        public let autoRenewStatus = PayloadField<Int64>("autoRenewStatus")
        /// Why the subscription ended: 1 cancelled, 2 billing, 3 no consent
        /// to a price, 4 not for sale, 5 other.
        public let expirationIntent = PayloadField<Int64>("expirationIntent")
        /// Whether the store still tries to charge.
        public let isInBillingRetryPeriod = PayloadField<Bool>("isInBillingRetryPeriod")
        /// Whether the customer consented to a higher price: 1, or 0.
        public let priceIncreaseStatus = PayloadField<Int64>("priceIncreaseStatus")
        /// The date until which the subscription can be used while the store
        /// tries to charge.
        public let gracePeriodExpiresDate = PayloadField<Date>("gracePeriodExpiresDate")
        /// The kind of offer: 1 introductory, 2 promotional, 3 code, 4 win-back.
        public let offerType = PayloadField<Int64>("offerType")
        /// The offer, or its code.
        public let offerIdentifier = PayloadField<String>("offerIdentifier")
        /// How an offer is paid, such as `FREE_TRIAL`.
        public let offerDiscountType = PayloadField<String>("offerDiscountType")
        /// The duration of an offer, in ISO 8601.
        public let offerPeriod = PayloadField<String>("offerPeriod")
        /// When the store signed this.
        public let signedDate = PayloadField<Date>("signedDate")
        /// The environment.
        public let environment = PayloadField<PayloadEnvironment>("environment")
        /// The start of the subscription after its last interruption.
        public let recentSubscriptionStartDate = PayloadField<Date>("recentSubscriptionStartDate")
        /// When the subscription renews.
        public let renewalDate = PayloadField<Date>("renewalDate")
        /// The price's currency, ISO 4217.
        public let currency = PayloadField<String>("currency")
        /// The next price in thousandths of the currency.
        public let renewalPrice = PayloadField<Int64>("renewalPrice")
        /// The win-back offers that the customer may take, best first.
        public let eligibleWinBackOfferIds = PayloadField<[String]>("eligibleWinBackOfferIds")
        /// The app's identifier of its user, a UUID.
        public let appAccountToken = PayloadField<String>("appAccountToken")
        /// The transaction by which the account got the app.
        public let appTransactionId = PayloadField<String>("appTransactionId")
        /// The data of the Advanced Commerce API.
        public let advancedCommerceInfo = PayloadField<JSONValue>("advancedCommerceInfo")
        /// `BILLED_UPFRONT` or `MONTHLY`.
        public let renewalBillingPlanType = PayloadField<String>("renewalBillingPlanType")
        /// The renewal of a commitment of several billing periods.
        public let commitmentInfo = PayloadField<JSONValue>("commitmentInfo")
        /// The value that binds the payload to a device, in base64. Only
        /// payloads for a device have this field.
        public let deviceVerification = PayloadField<String>("deviceVerification")
        /// The UUID that device verification is computed with.
        public let deviceVerificationNonce = PayloadField<String>("deviceVerificationNonce")
    }
}
