// SPDX-License-Identifier: Apache-2.0

/// Asks the store to collect a payment. Keyed by the device and
/// `requestIdentifier`: a repeat gets the answer that is recorded by then,
/// and is never a second charge.
package struct PaymentCall: StoreCall, Hashable {
    package static let path = StorePath.payments

    package var requestIdentifier: String
    package var bundleIdentifier: String
    package var productIdentifier: String
    package var quantity: Int
    package var applicationUsername: String?
    package var simulatesAskToBuy: Bool

    package init(
        requestIdentifier: String, bundleIdentifier: String, productIdentifier: String, quantity: Int,
        applicationUsername: String? = nil, simulatesAskToBuy: Bool = false
    ) {
        self.requestIdentifier = requestIdentifier
        self.bundleIdentifier = bundleIdentifier
        self.productIdentifier = productIdentifier
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.simulatesAskToBuy = simulatesAskToBuy
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
    package var code: Int
    /// A sentence for the developer.
    package var message: String

    package init(code: Int, message: String) {
        self.code = code
        self.message = message
    }

    // SKError.Code: see StoreKit's SKError for the whole list.
    package static let unknown = 0
    package static let clientInvalid = 1
    package static let paymentCancelled = 2
    package static let paymentInvalid = 3
    package static let paymentNotAllowed = 4
    package static let storeProductNotAvailable = 5
}
