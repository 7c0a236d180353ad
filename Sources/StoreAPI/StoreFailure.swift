// SPDX-License-Identifier: Apache-2.0

package import StoreCore

/// The store's refusal of a message: a stable code, and a sentence that names
/// the place and the remedy.
///
/// Two failures are equal when their codes are equal; the sentence may
/// change.
package struct StoreFailure: Error, Sendable, Codable {
    /// The reason for the refusal. A code without a constant here is kept as
    /// it is.
    package struct Code: RawRepresentable, Hashable, Sendable, Codable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Decodes a code from a string.
        ///
        /// - Throws: `DecodingError` when the value isn't a string.
        package init(from decoder: any Decoder) throws {
            rawValue = try decoder.singleValueContainer().decode(String.self)
        }

        /// Encodes the code as a string.
        ///
        /// - Throws: `EncodingError`.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }

        /// The message isn't JSON, or lacks a field, or a field has another type.
        package static let malformed = Code(rawValue: "malformed")
        /// A field's value is outside of its limits, or isn't allowed.
        package static let invalid = Code(rawValue: "invalid")
        /// There is no such path, app, account, transaction or sheet.
        package static let notFound = Code(rawValue: "not-found")
        /// The path doesn't take the request's HTTP method.
        package static let methodNotAllowed = Code(rawValue: "method-not-allowed")
        /// The message did not arrive completely in time.
        package static let tooSlow = Code(rawValue: "too-slow")
        /// The message is larger than its path allows.
        package static let tooLarge = Code(rawValue: "too-large")
        /// There are no credentials, or they have another form.
        package static let credentialsMissing = Code(rawValue: "credentials-missing")
        /// The device is unknown (register it), or its secret is another one.
        package static let unknownDevice = Code(rawValue: "unknown-device")
        /// The device identifier is registered under another secret.
        package static let deviceTaken = Code(rawValue: "device-taken")
        /// The request identifier was used for another request.
        package static let requestMismatch = Code(rawValue: "request-mismatch")
        /// A page of another origin sent a form to the store, or the request
        /// has a host name that isn't the store's.
        package static let crossSite = Code(rawValue: "cross-site")
        /// The user of Connect is signed out, or the user's role doesn't include
        /// the action.
        package static let forbidden = Code(rawValue: "forbidden")
        /// Another user has changed the values since they were shown.
        package static let changed = Code(rawValue: "changed")
        /// No account is signed in on the device.
        package static let notSignedIn = Code(rawValue: "not-signed-in")
        /// The account doesn't exist or the password is wrong; the failure
        /// doesn't say which.
        package static let wrongPassword = Code(rawValue: "wrong-password")
        /// The account is one of the sandbox, and this is the production store,
        /// or the other way round.
        package static let otherEnvironment = Code(rawValue: "other-environment")
        /// There were too many attempts or requests. Repeat the request
        /// later.
        package static let throttled = Code(rawValue: "throttled")
        /// The sheet was answered before.
        package static let sheetUsed = Code(rawValue: "sheet-used")
        /// The sheet was not answered in time.
        package static let sheetExpired = Code(rawValue: "sheet-expired")
        /// The payment provider declined the payment. The sheet is still open
        /// for another attempt.
        package static let declined = Code(rawValue: "declined")
        /// The sheet showed another price than the one in the customer's
        /// storefront. It shows the right price now.
        package static let priceChanged = Code(rawValue: "price-changed")
        /// The decision was already made, with the opposite result.
        package static let decided = Code(rawValue: "decided")
        /// More was to be given back than is left of the purchase's price.
        package static let refundTooLarge = Code(rawValue: "refund-too-large")
        /// Another payment, for the same product or of the account, is under
        /// way.
        package static let underWay = Code(rawValue: "under-way")
        /// The transaction doesn't give the right to hosted content: its
        /// purchase was refunded or revoked, is another account's, or isn't
        /// complete.
        package static let contentNotOwned = Code(rawValue: "content-not-owned")
        /// The product has no hosted content, or its version was removed.
        package static let contentNotFound = Code(rawValue: "content-not-found")
        /// The address of a content has expired. A device asks for a new one.
        package static let contentAddressExpired = Code(rawValue: "content-address-expired")
        /// A part of an upload isn't the one that the store needs next.
        package static let contentOffset = Code(rawValue: "content-offset")
        /// The app has no such code.
        package static let codeUnknown = Code(rawValue: "code-unknown")
        /// The code was redeemed as often as it can be.
        package static let codeUsed = Code(rawValue: "code-used")
        /// The time of the code is over.
        package static let codeExpired = Code(rawValue: "code-expired")
        /// The seller has revoked the code, or removed its offer.
        package static let codeRevoked = Code(rawValue: "code-revoked")
        /// The code is for other customers than this one.
        package static let codeNotEligible = Code(rawValue: "code-not-eligible")
        /// The customer has redeemed a code of the offer already.
        package static let codeRedeemed = Code(rawValue: "code-redeemed")
        /// The store can't answer now, for example because its database can't
        /// be written or it has too many requests. Repeating the request with
        /// the same identifier is safe: the store carries it out once.
        package static let unavailable = Code(rawValue: "unavailable")
        /// The store has a bug. It may or may not have carried out the
        /// message.
        package static let internalError = Code(rawValue: "internal-error")
        /// The answer isn't one of a store.
        package static let unreadableAnswer = Code(rawValue: "unreadable-answer")
    }

    package var code: Code
    package var message: String
    /// The seconds after which the request may be repeated; `nil` when there
    /// is no such time.
    @Limited<RetryAfter> package var retryAfter: Int?
    /// The reason for a page of the store; it isn't sent.
    package var reason: CustomerRefusal?

    private enum CodingKeys: String, CodingKey {
        case code, message, retryAfter
    }

    package init(_ code: Code, _ message: String, reason: CustomerRefusal? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.reason = reason
        self.retryAfter = retryAfter
    }
}

extension StoreFailure: Hashable {
    package static func == (left: StoreFailure, right: StoreFailure) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension StoreFailure: CustomStringConvertible {
    /// The message, then the code in parentheses.
    package var description: String { "\(message) (\(code.rawValue))" }
}

/// An encoded refusal: `{"error": {"code": …, "message": …}}`.
package struct StoreFailureBody: Codable, Sendable {
    package var error: StoreFailure

    package init(error: StoreFailure) {
        self.error = error
    }
}

/// The error for a message without an answer.
package struct ConnectionFailure: Error, Sendable {
    /// Whether the store may have received the message.
    package enum Reach: Sendable, Hashable {
        /// The device has sent nothing: there is no route or no such name, or
        /// the connection was refused.
        case notSent
        /// The store may have received the message, and may have acted on it.
        case unanswered
    }

    /// Whether the store may have received the message.
    package var reach: Reach
    /// The error of the network.
    package var underlying: any Error

    package init(reach: Reach, underlying: any Error) {
        self.reach = reach
        self.underlying = underlying
    }
}
