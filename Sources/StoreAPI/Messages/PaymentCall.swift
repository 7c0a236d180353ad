// SPDX-License-Identifier: Apache-2.0

/// Asks the store to collect a payment. Keyed by the device and
/// `requestIdentifier`: a repeat gets the answer that is recorded by then,
/// and is never a second charge.
package struct PaymentCall: AppCall, Hashable {
    package static let path = StorePath.payments

    @Limited<RequestIdentifier> package var requestIdentifier: String
    @Limited<Identifier> package var bundleIdentifier: String
    @Limited<AppText> package var productIdentifier: String
    @Limited<Quantity> package var quantity: Int
    @Limited<Optionally<Username>> package var applicationUsername: String?
    package var simulatesAskToBuy: Bool
    /// A promotional offer.
    package var discount: DiscountInfo?
    /// Set when the app doesn't want it any more: it fails, unless it is
    /// decided already.
    package var isWithdrawn: Bool?

    package init(
        requestIdentifier: String, bundleIdentifier: String, productIdentifier: String, quantity: Int,
        applicationUsername: String? = nil, simulatesAskToBuy: Bool = false, discount: DiscountInfo? = nil,
        isWithdrawn: Bool = false
    ) {
        self.requestIdentifier = requestIdentifier
        self.bundleIdentifier = bundleIdentifier
        self.productIdentifier = productIdentifier
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.simulatesAskToBuy = simulatesAskToBuy
        self.discount = discount
        self.isWithdrawn = isWithdrawn ? true : nil
    }

    /// What has become of the payment so far.
    package struct Answer: Codable, Sendable, Hashable {
        package var status: PaymentStatus
        /// With `authorise`: the one-time address of the payment sheet.
        package var sheet: String?
        /// With `purchased`: the transaction, and where it stands in the
        /// account's events.
        package var transaction: TransactionInfo?
        package var position: EventPosition?
        /// With `failed`: why.
        package var failure: PaymentFailure?

        package init(
            status: PaymentStatus, sheet: String? = nil, transaction: TransactionInfo? = nil,
            position: EventPosition? = nil, failure: PaymentFailure? = nil
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
    @Limited<AppText> package var keyIdentifier: String
    /// A UUID.
    @Limited<AppText> package var nonce: String
    /// Base64 of an ECDSA signature in DER.
    @Limited<Signature> package var signature: String
    /// Milliseconds since 1970.
    @Limited<AnyNumber> package var timestamp: Int64

    package init(identifier: String, keyIdentifier: String, nonce: String, signature: String, timestamp: Int64) {
        self.identifier = identifier
        self.keyIdentifier = keyIdentifier
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
    }
}

/// How far a payment is; statuses that this version doesn't know survive and
/// mean: not decided yet, ask again.
package struct PaymentStatus: RawRepresentable, Codable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The customer has to decide on the payment sheet.
    package static let authorise = PaymentStatus(rawValue: "authorise")
    /// The customer has confirmed; the payment provider hasn't answered yet.
    package static let processing = PaymentStatus(rawValue: "processing")
    /// Somebody else has to approve.
    package static let deferred = PaymentStatus(rawValue: "deferred")
    package static let purchased = PaymentStatus(rawValue: "purchased")
    package static let failed = PaymentStatus(rawValue: "failed")
}

/// Why a payment ended without a purchase: a value of `SKError.Code`.
package struct PaymentFailure: Codable, Sendable, Hashable {
    /// `SKError.Code`'s raw value.
    @Limited<Quantity> package var code: Int
    /// A sentence for the developer.
    package var message: String
    /// What the store says under it, for apps that look.
    package var underlying: Underlying?

    package init(code: Int, message: String, underlying: Underlying? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// An error under a failure, in Foundation's terms.
    package struct Underlying: Codable, Sendable, Hashable {
        package var domain: String
        @Limited<Quantity> package var code: Int

        package init(domain: String, code: Int) {
            self.domain = domain
            self.code = code
        }

        /// What interrupts a purchase has, as Apple's store says it.
        package static let interrupted = Underlying(domain: "ASDServerErrorDomain", code: 3038)
    }

    // SKError.Code: see StoreKit's SKError for the whole list.
    package static let unknown = 0
    package static let clientInvalid = 1
    package static let paymentCancelled = 2
    package static let paymentInvalid = 3
    package static let paymentNotAllowed = 4
    package static let storeProductNotAvailable = 5
}
