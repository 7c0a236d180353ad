// SPDX-License-Identifier: Apache-2.0

package import StoreCore

/// Asks the store to collect a payment.
///
/// The device and `requestIdentifier` identify the payment: a repeat gets the
/// answer that is recorded by then, and never charges again.
package struct PaymentCall: AppCall, Hashable {
    package static let path = StorePath.payments

    @Limited<RequestIdentifierText> package var requestIdentifier: String
    @Limited<Identifier> package var bundleIdentifier: String
    @Limited<AppText> package var productIdentifier: String
    /// The number of units. The payment fails when it isn't 1 to 10.
    @Limited<Quantity> package var quantity: Int
    /// The app's own name for its user; `nil` when the app gives none.
    @Limited<Optionally<Username>> package var applicationUsername: String?
    /// Whether the sandbox simulates that another person has to approve the
    /// payment. Production ignores it.
    package var simulatesAskToBuy: Bool
    /// A promotional offer.
    package var discount: DiscountInfo?
    /// The identifier of a win-back offer; `nil` for a payment without one. A
    /// payment names one offer.
    @Limited<Optionally<AppText>> package var winBackOffer: String?
    /// The seller's decision whether the customer gets the introductory offer,
    /// as a JWS; `nil` when the store decides.
    @Limited<Optionally<CompactJWS>> package var introductoryOfferEligibility: String?
    /// Set when a payment for the subscription that the customer has, and that
    /// goes on as it is, is answered with its transaction, as in StoreKit 2. In
    /// StoreKit 1 it fails.
    package var acceptsRunning: Bool?
    /// Set when the app withdraws the payment. The payment fails then, unless
    /// it is already decided.
    package var isWithdrawn: Bool?

    package init(
        requestIdentifier: String, bundleIdentifier: String, productIdentifier: String, quantity: Int,
        applicationUsername: String? = nil, simulatesAskToBuy: Bool = false, discount: DiscountInfo? = nil,
        winBackOffer: String? = nil, introductoryOfferEligibility: String? = nil, acceptsRunning: Bool = false,
        isWithdrawn: Bool = false
    ) {
        self.requestIdentifier = requestIdentifier
        self.bundleIdentifier = bundleIdentifier
        self.productIdentifier = productIdentifier
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.simulatesAskToBuy = simulatesAskToBuy
        self.discount = discount
        self.winBackOffer = winBackOffer
        self.introductoryOfferEligibility = introductoryOfferEligibility
        self.acceptsRunning = acceptsRunning ? true : nil
        self.isWithdrawn = isWithdrawn ? true : nil
    }

    /// The state of the payment.
    package struct Answer: Codable, Sendable, Hashable {
        package var status: PaymentStatus
        /// With `authorise`: the one-time address of the payment sheet.
        package var sheet: String?
        /// With `purchased`: the transaction and its position in the
        /// account's events; `nil` when it has left the queue.
        package var transaction: TransactionInfo?
        /// With `purchased`: the position of the event that added the
        /// transaction to the queue; `nil` when `transaction` is `nil`.
        package var position: EventPosition?
        /// With `failed`: the reason.
        package var failure: PurchaseFailure?

        package init(
            status: PaymentStatus, sheet: String? = nil, transaction: TransactionInfo? = nil,
            position: EventPosition? = nil, failure: PurchaseFailure? = nil
        ) {
            self.status = status
            self.sheet = sheet
            self.transaction = transaction
            self.position = position
            self.failure = failure
        }
    }
}

/// A promotional offer as the seller's server has signed it for one payment.
package struct DiscountInfo: Codable, Sendable, Hashable {
    @Limited<AppText> package var identifier: String
    /// The identifier of the key that made the signature.
    @Limited<AppText> package var keyIdentifier: String
    /// A UUID.
    @Limited<AppText> package var nonce: String
    /// Base64 of an ECDSA signature in DER.
    @Limited<Signature> package var signature: String
    /// Milliseconds since 1970.
    @Limited<AnyNumber> package var timestamp: Int64
    /// The offer as a JWS (StoreKit 2); the key identifier, the nonce and the
    /// signature are empty then, and the timestamp is 0.
    @Limited<Optionally<CompactJWS>> package var token: String?

    package init(
        identifier: String, keyIdentifier: String, nonce: String, signature: String, timestamp: Int64,
        token: String? = nil
    ) {
        self.identifier = identifier
        self.keyIdentifier = keyIdentifier
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
        self.token = token
    }
}

/// The status of a payment. A status without a constant here is kept as it
/// is, and means that the payment isn't decided yet.
package struct PaymentStatus: RawRepresentable, Codable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The customer has to decide on the payment sheet.
    package static let authorise = PaymentStatus(rawValue: "authorise")
    /// The customer has confirmed and the payment provider has not answered
    /// yet, or the purchase belongs to an account that isn't signed in on the
    /// device now.
    package static let processing = PaymentStatus(rawValue: "processing")
    /// Another person has to approve the payment.
    package static let deferred = PaymentStatus(rawValue: "deferred")
    /// The purchase is made.
    package static let purchased = PaymentStatus(rawValue: "purchased")
    /// The payment has failed or was interrupted; the answer's `failure` has
    /// the reason.
    package static let failed = PaymentStatus(rawValue: "failed")
}
