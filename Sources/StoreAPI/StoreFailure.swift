// SPDX-License-Identifier: Apache-2.0

/// The store's refusal of a message: a code that stays, and a sentence that
/// names the place and the remedy.
///
/// Two failures are equal when their codes are: the sentence may change.
package struct StoreFailure: Error, Sendable, Codable {
    /// What was refused. Codes that this version doesn't know survive.
    package struct Code: RawRepresentable, Hashable, Sendable, Codable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package init(from decoder: any Decoder) throws {
            rawValue = try decoder.singleValueContainer().decode(String.self)
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }

        /// The message isn't JSON, or lacks a field, or a field has another type.
        package static let malformed = Code(rawValue: "malformed")
        /// A field's value is outside of what is allowed.
        package static let invalid = Code(rawValue: "invalid")
        /// No such path, app, transaction or sheet.
        package static let notFound = Code(rawValue: "not-found")
        package static let methodNotAllowed = Code(rawValue: "method-not-allowed")
        /// The message didn't come whole in time.
        package static let tooSlow = Code(rawValue: "too-slow")
        /// The message is larger than its path allows.
        package static let tooLarge = Code(rawValue: "too-large")
        /// There are no credentials, or they aren't of the right form.
        package static let credentialsMissing = Code(rawValue: "credentials-missing")
        /// The device is unknown here (register it) or its secret is another one.
        package static let unknownDevice = Code(rawValue: "unknown-device")
        /// The device identifier is registered under another secret.
        package static let deviceTaken = Code(rawValue: "device-taken")
        /// The request identifier was used for another request.
        package static let requestMismatch = Code(rawValue: "request-mismatch")
        /// A page of another origin sent a form to the store, or the store was
        /// called by a name that isn't its own.
        package static let crossSite = Code(rawValue: "cross-site")
        package static let notSignedIn = Code(rawValue: "not-signed-in")
        package static let wrongPassword = Code(rawValue: "wrong-password")
        /// Too many attempts; try again later.
        package static let throttled = Code(rawValue: "throttled")
        /// The sheet was answered before.
        package static let sheetUsed = Code(rawValue: "sheet-used")
        /// The sheet wasn't answered in time.
        package static let sheetExpired = Code(rawValue: "sheet-expired")
        /// The payment provider declined; the sheet is open for another try.
        package static let declined = Code(rawValue: "declined")
        /// The sheet showed another price than the customer's store has; it
        /// shows that one now.
        package static let priceChanged = Code(rawValue: "price-changed")
        /// It was decided about already, the other way.
        package static let decided = Code(rawValue: "decided")
        /// Another payment for the same product is under way.
        package static let underWay = Code(rawValue: "under-way")
        /// The store can't answer now: its database can't be written, or too
        /// much waits. Sending the same request again is safe: it is carried
        /// out once.
        package static let unavailable = Code(rawValue: "unavailable")
        /// A bug in the store. Nothing is known about what it did.
        package static let internalError = Code(rawValue: "internal-error")
        /// What came back isn't an answer of a store.
        package static let unreadableAnswer = Code(rawValue: "unreadable-answer")
    }

    package var code: Code
    package var message: String
    /// When trying again helps, after how many seconds.
    @Limited<RetryAfter> package var retryAfter: Int?

    package init(_ code: Code, _ message: String, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }
}

extension StoreFailure: Hashable {
    package static func == (left: StoreFailure, right: StoreFailure) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension StoreFailure: CustomStringConvertible {
    package var description: String { "\(message) (\(code.rawValue))" }
}

/// How a refusal goes over the wire: `{"error": {"code": …, "message": …}}`.
package struct StoreFailureBody: Codable, Sendable {
    package var error: StoreFailure

    package init(error: StoreFailure) {
        self.error = error
    }
}

/// There was no answer.
package struct ConnectionFailure: Error, Sendable {
    /// How far the message came.
    package enum Reach: Sendable, Hashable {
        /// Nothing left the device: no route, refused, no such name.
        case notSent
        /// The store may have received the message, and may have acted on it.
        case unanswered
    }

    package var reach: Reach
    /// What the network said.
    package var underlying: any Error

    package init(reach: Reach, underlying: any Error) {
        self.reach = reach
        self.underlying = underlying
    }
}
