// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A signed transaction: `JWSTransactionDecodedPayload` of the App Store Server
/// API.
public struct TransactionPayload: SignedPayload {
    /// All fields, also those that this version has no name for.
    public var members: [String: JSONValue] = [:]

    /// A payload without fields.
    public init() {}

    /// The fields that have a name and a type.
    public static let fields = Fields()
    /// The types that the fields are held to.
    public static let types = PayloadTypes(of: Fields())

    /// When the store signed it.
    public var dateOfSigning: Date? { self.signedDate }
    /// The app.
    public var statedBundleIdentifier: String? { self.bundleId }
    /// The environment.
    public var statedEnvironment: PayloadEnvironment? { self.environment }

    /// The fields that have a name and a type.
    public struct Fields: Sendable {
        /// The transaction.
        public let transactionId = PayloadField<String>("transactionId")
        /// The transaction that the product was first bought by.
        public let originalTransactionId = PayloadField<String>("originalTransactionId")
        /// The store's number for one paid period of a subscription.
        public let webOrderLineItemId = PayloadField<String>("webOrderLineItemId")
        /// The app.
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
        /// The app's own identifier of its user, a UUID.
        public let appAccountToken = PayloadField<String>("appAccountToken")
        /// `PURCHASED` or `FAMILY_SHARED`.
        public let inAppOwnershipType = PayloadField<String>("inAppOwnershipType")
        /// When the store signed this.
        public let signedDate = PayloadField<Date>("signedDate")
        /// Why it was refunded: 1 for a problem of the app, 0 for another reason.
        public let revocationReason = PayloadField<Int64>("revocationReason")
        /// When it was refunded or taken out of family sharing.
        public let revocationDate = PayloadField<Date>("revocationDate")
        /// What a revocation gave back, such as `REFUND_FULL`.
        public let revocationType = PayloadField<String>("revocationType")
        /// How much was given back, in thousandths of a percent.
        public let revocationPercentage = PayloadField<Int64>("revocationPercentage")
        /// Whether another subscription took its place.
        public let isUpgraded = PayloadField<Bool>("isUpgraded")
        /// The kind of offer: 1 introductory, 2 promotional, 3 code, 4 win-back.
        public let offerType = PayloadField<Int64>("offerType")
        /// The offer, or its code.
        public let offerIdentifier = PayloadField<String>("offerIdentifier")
        /// How an offer is paid, such as `FREE_TRIAL`.
        public let offerDiscountType = PayloadField<String>("offerDiscountType")
        /// How long an offer lasts, as ISO 8601 writes it.
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
        /// The app's own first transaction of this account.
        public let appTransactionId = PayloadField<String>("appTransactionId")
        /// What was bought through the Advanced Commerce API.
        public let advancedCommerceInfo = PayloadField<JSONValue>("advancedCommerceInfo")
        /// `BILLED_UPFRONT` or `MONTHLY`.
        public let billingPlanType = PayloadField<String>("billingPlanType")
        /// How far a commitment of several billing periods is.
        public let commitmentInfo = PayloadField<JSONValue>("commitmentInfo")
        /// Ties the payload to a device, base64; in what a device gets only.
        public let deviceVerification = PayloadField<String>("deviceVerification")
        /// The UUID that device verification is computed with.
        public let deviceVerificationNonce = PayloadField<String>("deviceVerificationNonce")
    }
}
