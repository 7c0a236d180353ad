// SPDX-License-Identifier: Apache-2.0

/// Why a payment or another request of an app failed, in StoreKit's terms.
///
/// The store makes one, the device's journal keeps it, and `SKError` shows it
/// to the app.
package struct PurchaseFailure: Error, Sendable, Hashable, Codable {
    /// The reason. The raw values are those of `SKError.Code`; a value without
    /// a constant here is kept as it is.
    package struct Code: RawRepresentable, Sendable, Hashable, Codable {
        private var number: Number
        package var rawValue: Int { number.rawValue }

        package init(rawValue: Int) {
            number = Number(rawValue: rawValue)
        }

        /// Reads a number.
        ///
        /// - Throws: `DecodingError` for a number outside of ±2^53.
        package init(from decoder: any Decoder) throws {
            number = try Number(from: decoder)
        }

        /// Writes the number.
        package func encode(to encoder: any Encoder) throws {
            try number.encode(to: encoder)
        }

        /// Any other reason.
        package static let unknown = Code(rawValue: 0)
        /// The customer's account may not buy.
        package static let clientInvalid = Code(rawValue: 1)
        /// The customer or an approver declined, or didn't answer in time.
        package static let paymentCancelled = Code(rawValue: 2)
        /// The product doesn't exist, or the payment's values aren't allowed.
        package static let paymentInvalid = Code(rawValue: 3)
        /// The device doesn't allow payments.
        package static let paymentNotAllowed = Code(rawValue: 4)
        /// The product isn't sold in the customer's storefront.
        package static let storeProductNotAvailable = Code(rawValue: 5)
        /// The product has no such offer.
        package static let invalidOfferIdentifier = Code(rawValue: 11)
        /// The signature of the offer isn't valid.
        package static let invalidSignature = Code(rawValue: 12)
        /// A part of the offer is missing.
        package static let missingOfferParams = Code(rawValue: 13)
        /// The price of the offer isn't lower than the regular one.
        package static let invalidOfferPrice = Code(rawValue: 14)
        /// The customer isn't entitled to the offer.
        package static let ineligibleForOffer = Code(rawValue: 18)
    }

    /// The error that caused the failure, as a domain and a code of `NSError`.
    package struct Underlying: Error, Sendable, Hashable, Codable {
        /// `NSURLErrorDomain`, for example.
        package var domain: String
        private var number: Number
        package var code: Int { number.rawValue }
        /// A sentence for the developer; `nil` when the failure's own says it.
        package var message: String?

        package init(domain: String, code: Int, message: String? = nil) {
            self.domain = domain
            number = Number(rawValue: code)
            self.message = message
        }

        private enum CodingKeys: String, CodingKey {
            case domain, message
            case number = "code"
        }

        /// The underlying error of an interrupted purchase, as in Apple's
        /// store.
        package static let interrupted = Underlying(server: 3038)
        /// The underlying error of a payment for the subscription that the
        /// customer has, as in Apple's store.
        package static let subscribed = Underlying(server: 3532)

        /// An error of Apple's store.
        package init(server code: Int) {
            self.init(domain: "ASDServerErrorDomain", code: code)
        }
    }

    /// A code that another party may send.
    private struct Number: Sendable, Hashable, Codable {
        var rawValue: Int

        init(rawValue: Int) {
            self.rawValue = rawValue
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            rawValue = try container.decode(Int.self)
            guard (-(1 << 53) + 1..<1 << 53).contains(rawValue) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "A code is a number between ±2^53.")
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }
    }

    package var code: Code
    /// A sentence for the developer, with the remedy if one is known.
    package var message: String
    /// The error of the network or of the store that caused the failure, if
    /// any.
    package var underlying: Underlying?

    package init(_ code: Code, _ message: String, underlying: Underlying? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }
}

extension PurchaseFailure: CustomStringConvertible {
    /// The sentence for the developer.
    package var description: String { message }
}
