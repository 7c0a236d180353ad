// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The payload of a signed transaction: `JWSTransactionDecodedPayload` of the
/// App Store Server API.
public struct TransactionPayload: SignedPayload {
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
    /// The app's bundle identifier.
    public var statedBundleIdentifier: String? { self.bundleId }
    /// The environment.
    public var statedEnvironment: PayloadEnvironment? { self.environment }

    /// The fields that have a name and a type.
    public struct Fields: Sendable {
        /// The transaction.
        public let transactionId = PayloadField<String>("transactionId")
        /// The transaction of the product's first purchase.
        public let originalTransactionId = PayloadField<String>("originalTransactionId")
        /// The first transaction of the subscription that this one continues.
        public let previousOriginalTransactionId = PayloadField<String>("previousOriginalTransactionId")
        /// The store's number for one paid period of a subscription.
        public let webOrderLineItemId = PayloadField<String>("webOrderLineItemId")
        /// The app's bundle identifier.
        public let bundleId = PayloadField<String>("bundleId")
        /// The product.
        public let productId = PayloadField<String>("productId")
        /// The group that a subscription belongs to.
        public let subscriptionGroupIdentifier = PayloadField<String>("subscriptionGroupIdentifier")
        /// When the account was charged, or the purchase restored.
        public let purchaseDate = PayloadField<Date>("purchaseDate")
        /// When the product was first bought.
        public let originalPurchaseDate = PayloadField<Date>("originalPurchaseDate")
        /// When a subscription ends or renews.
        public let expiresDate = PayloadField<Date>("expiresDate")
        /// How many were bought.
        public let quantity = PayloadField<Int64>("quantity")
        /// The product's type, such as `Non-Consumable`.
        public let type = PayloadField<String>("type")
        /// The app's identifier of its user, a UUID.
        public let appAccountToken = PayloadField<String>("appAccountToken")
        /// `PURCHASED`, `FAMILY_SHARED` or `ASSIGNED`.
        public let inAppOwnershipType = PayloadField<String>("inAppOwnershipType")
        /// When the store signed this.
        public let signedDate = PayloadField<Date>("signedDate")
        /// Why the purchase was refunded: 1 for a problem of the app, 0 for
        /// another reason.
        public let revocationReason = PayloadField<Int64>("revocationReason")
        /// When the purchase was refunded or taken out of family sharing.
        public let revocationDate = PayloadField<Date>("revocationDate")
        /// The type of a revocation, such as `REFUND_FULL`.
        public let revocationType = PayloadField<String>("revocationType")
        /// The refunded part of the price, in thousandths of a percent.
        public let revocationPercentage = PayloadField<Int64>("revocationPercentage")
        /// Whether another subscription replaced this one.
        public let isUpgraded = PayloadField<Bool>("isUpgraded")
        /// The kind of offer: 1 introductory, 2 promotional, 3 code, 4 win-back.
        public let offerType = PayloadField<Int64>("offerType")
        /// The offer, or its code.
        public let offerIdentifier = PayloadField<String>("offerIdentifier")
        /// How an offer is paid, such as `FREE_TRIAL`.
        public let offerDiscountType = PayloadField<String>("offerDiscountType")
        /// The duration of an offer, in ISO 8601.
        public let offerPeriod = PayloadField<String>("offerPeriod")
        /// The environment.
        public let environment = PayloadField<PayloadEnvironment>("environment")
        /// The storefront's country, three letters.
        public let storefront = PayloadField<String>("storefront")
        /// The storefront's number.
        public let storefrontId = PayloadField<String>("storefrontId")
        /// `PURCHASE` or `RENEWAL`.
        public let transactionReason = PayloadField<String>("transactionReason")
        /// The price's currency, ISO 4217.
        public let currency = PayloadField<String>("currency")
        /// The price in thousandths of the currency.
        public let price = PayloadField<Int64>("price")
        /// The transaction by which the account got the app.
        public let appTransactionId = PayloadField<String>("appTransactionId")
        /// The data of the Advanced Commerce API.
        public let advancedCommerceInfo = PayloadField<JSONValue>("advancedCommerceInfo")
        /// `BILLED_UPFRONT` or `MONTHLY`.
        public let billingPlanType = PayloadField<String>("billingPlanType")
        /// The progress of a commitment of several billing periods.
        public let commitmentInfo = PayloadField<JSONValue>("commitmentInfo")
        /// The value that binds the payload to a device, in base64. Only
        /// payloads for a device have this field.
        public let deviceVerification = PayloadField<String>("deviceVerification")
        /// The UUID that device verification is computed with.
        public let deviceVerificationNonce = PayloadField<String>("deviceVerificationNonce")
    }
}
