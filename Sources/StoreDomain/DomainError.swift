// SPDX-License-Identifier: Apache-2.0

/// Why the store refuses something: a code that callers act on, and a
/// sentence that names the place and the remedy.
///
/// Two errors are equal when their codes are.
package struct DomainError: Error, Sendable {
    /// What was refused.
    package struct Code: Hashable, Sendable {
        private let name: String

        /// A value is outside of what is allowed.
        package static let invalid = Code(name: "invalid")
        /// There is no such thing.
        package static let notFound = Code(name: "not found")
        /// There is one already.
        package static let exists = Code(name: "exists")
        /// The device isn't registered, or its secret is another one.
        package static let unknownDevice = Code(name: "unknown device")
        /// The device identifier is registered under another secret.
        package static let deviceTaken = Code(name: "device taken")
        /// The request identifier was used for another request.
        package static let requestMismatch = Code(name: "request mismatch")
        /// No such account, or another password: which of both isn't said.
        package static let wrongPassword = Code(name: "wrong password")
        /// Too many password checks wait: the store has no room for another.
        package static let busy = Code(name: "busy")
        /// Too many wrong passwords.
        package static let throttled = Code(name: "throttled")
        /// The sheet was answered before.
        package static let sheetUsed = Code(name: "sheet used")
        /// The sheet wasn't answered in time.
        package static let sheetExpired = Code(name: "sheet expired")
        /// The payment provider declined the payment.
        package static let declined = Code(name: "declined")
        /// The customer was shown another price than the one of the account's store.
        package static let priceChanged = Code(name: "price changed")
        /// It was decided about already, the other way.
        package static let decided = Code(name: "decided")
        /// Another payment for the same product is under way.
        package static let underWay = Code(name: "under way")
        /// A configuration file that can't be used.
        package static let configuration = Code(name: "configuration")
        /// The database's schema is another version's.
        package static let schema = Code(name: "schema")
        /// The store's time is one for which nothing can be signed.
        package static let clock = Code(name: "clock")
        /// The payment provider didn't answer.
        package static let providerUnavailable = Code(name: "provider unavailable")
    }

    package var code: Code
    package var message: String
    /// When trying again helps, after how many seconds; at least 1.
    package var retryAfter: Int?

    package init(_ code: Code, _ message: String, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    /// Too many wrong passwords: the next try has to wait so long.
    static func throttled(for wait: Duration) -> DomainError {
        let seconds = max(1, Int((wait.milliseconds + 999) / 1000))
        return DomainError(
            .throttled, "Too many wrong passwords: try again in \(seconds) s.", retryAfter: seconds)
    }
}

extension DomainError: Hashable {
    package static func == (left: DomainError, right: DomainError) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension DomainError: CustomStringConvertible {
    package var description: String { message }
}
