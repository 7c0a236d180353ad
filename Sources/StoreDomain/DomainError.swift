// SPDX-License-Identifier: Apache-2.0

package import StoreCore

/// A refusal of the store: a code that callers act on, and a message that
/// names the place and the remedy.
///
/// Two errors are equal when their codes are.
package struct DomainError: Error, Sendable {
    /// The reason of a refusal.
    package struct Code: Hashable, Sendable {
        private let name: String

        /// A value isn't allowed.
        package static let invalid = Code(name: "invalid")
        /// The object that the caller names doesn't exist.
        package static let notFound = Code(name: "not found")
        /// The object exists already.
        package static let exists = Code(name: "exists")
        /// The device isn't registered, or is registered under another
        /// secret.
        package static let unknownDevice = Code(name: "unknown device")
        /// The device identifier is registered under another secret.
        package static let deviceTaken = Code(name: "device taken")
        /// The request identifier was used for another request.
        package static let requestMismatch = Code(name: "request mismatch")
        /// The account doesn't exist or the password is wrong; the error
        /// doesn't say which.
        package static let wrongPassword = Code(name: "wrong password")
        /// The password is that of an account of the other environment.
        package static let otherEnvironment = Code(name: "other environment")
        /// Too many password checks are waiting.
        package static let busy = Code(name: "busy")
        /// Too many wrong passwords.
        package static let throttled = Code(name: "throttled")
        /// The sheet was answered before, or ended after too many wrong
        /// passwords.
        package static let sheetUsed = Code(name: "sheet used")
        /// The sheet wasn't answered in time.
        package static let sheetExpired = Code(name: "sheet expired")
        /// The payment provider declined the payment.
        package static let declined = Code(name: "declined")
        /// The price that the customer was shown isn't the price in the
        /// account's storefront.
        package static let priceChanged = Code(name: "price changed")
        /// The request was already decided the other way.
        package static let decided = Code(name: "decided")
        /// The subscription was extended as often as it can be in a year.
        package static let extendedTwice = Code(name: "extended twice")
        /// More was to be given back than is left of a purchase's price.
        package static let refundTooLarge = Code(name: "refund too large")
        /// Another payment for the same product is under way, or a payment of
        /// an account that is to be closed.
        package static let underWay = Code(name: "under way")
        /// A StoreKit configuration file is malformed.
        package static let configuration = Code(name: "configuration")
        /// The database has the schema of another version.
        package static let schema = Code(name: "schema")
        /// The store can't sign receipts for the time of its clock.
        package static let clock = Code(name: "clock")
        /// The signing authority can't be read or written with the key that
        /// the operator has given.
        package static let authority = Code(name: "authority")
        /// A transaction doesn't give the right to hosted content.
        package static let contentNotOwned = Code(name: "content not owned")
        /// The product has no hosted content, or its version was removed.
        package static let contentNotFound = Code(name: "content not found")
        /// The store keeps no content, or its storage is out of order or
        /// full.
        package static let storageUnavailable = Code(name: "storage unavailable")
        /// The content of an app would have more bytes than the operator
        /// allows.
        package static let quotaExceeded = Code(name: "quota exceeded")
        /// A part of an upload begins at another place than the next one.
        package static let otherOffset = Code(name: "other offset")
        /// The app has no such code.
        package static let codeUnknown = Code(name: "code unknown")
        /// The code was redeemed as often as it can be.
        package static let codeUsed = Code(name: "code used")
        /// The time of the code is over.
        package static let codeExpired = Code(name: "code expired")
        /// The seller has revoked the code, or removed its offer.
        package static let codeRevoked = Code(name: "code revoked")
        /// The code is for other customers than this one.
        package static let codeNotEligible = Code(name: "code not eligible")
        /// The customer has redeemed a code of the offer already.
        package static let codeRedeemed = Code(name: "code redeemed")
        /// The user of Connect is signed out, or the user's role doesn't include
        /// the action.
        package static let forbidden = Code(name: "forbidden")
        /// Another user has changed the values since they were shown.
        package static let changed = Code(name: "changed")
        /// The payment provider didn't answer.
        package static let providerUnavailable = Code(name: "provider unavailable")
    }

    package var code: Code
    package var message: String
    /// The number of seconds to wait before trying again, at least 1; `nil`
    /// when the error names none.
    package var retryAfter: Int?
    /// The reason for a page in another language than English; `nil` when the
    /// code is enough.
    package var reason: CustomerRefusal?

    package init(_ code: Code, _ message: String, reason: CustomerRefusal? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.reason = reason
        self.retryAfter = retryAfter
    }

    /// The error for a form whose page showed earlier values than the present
    /// ones.
    package static let changed = DomainError(
        .changed,
        "Another user has changed this meanwhile. The page shows the present values: compare, and save again.",
        reason: .changed)

    /// The error for an e-mail address that no open account has.
    static func noAccount(_ email: String) -> DomainError {
        DomainError(.notFound, "There is no account for \(email).")
    }

    /// The error for a password that is typed during a pause; `wait` is the
    /// rest of the pause.
    static func throttled(for wait: Duration) -> DomainError {
        let seconds = max(1, Int((wait.milliseconds + 999) / 1000))
        return DomainError(
            .throttled, "Too many wrong passwords: try again in \(seconds) s.", retryAfter: seconds)
    }

    /// The error for a message that is ordered during a pause; `wait` is the
    /// rest of the pause.
    static func messages(_ wait: Duration) -> DomainError {
        let seconds = max(1, Int((wait.milliseconds + 999) / 1000))
        return DomainError(
            .throttled, "Too many messages were ordered: try again in \(seconds) s.", retryAfter: seconds)
    }

    /// The error for a code that is typed during a pause; `wait` is the rest of
    /// the pause.
    static func guesses(_ wait: Duration) -> DomainError {
        let seconds = max(1, Int((wait.milliseconds + 999) / 1000))
        return DomainError(.throttled, "Too many wrong codes: try again in \(seconds) s.", retryAfter: seconds)
    }
}

extension DomainError: Hashable {
    package static func == (left: DomainError, right: DomainError) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension DomainError: CustomStringConvertible {
    package var description: String { message }
}
