// SPDX-License-Identifier: Apache-2.0

/// An error for bytes that are not a receipt or a signed payload, a receipt
/// that can't be encoded, or a signing authority that can't be used.
///
/// A well-formed receipt that isn't trusted isn't an error: the verifier
/// returns an ``AppReceiptVerifier/Refusal``. Two errors are equal when their
/// codes are equal; the message may change.
public struct AppReceiptError: Error, Sendable {
    /// The kind of an error.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The bytes are not in the expected format, for example a PKCS#7
        /// message with a receipt in it.
        public static let malformed = Code("malformed")
        /// The message is longer than the limit, or has more parts than
        /// allowed.
        public static let tooLarge = Code("too-large")
        /// A required attribute is missing.
        public static let missingAttribute = Code("missing-attribute")
        /// An attribute that may occur once occurs more than once.
        public static let duplicateAttribute = Code("duplicate-attribute")
        /// A value can't be written into a receipt.
        public static let invalidValue = Code("invalid-value")
        /// The bytes hold no certificate, or one that can't be read.
        public static let unreadableCertificate = Code("unreadable-certificate")
        /// The signing authority's certificates are not valid at the date of
        /// the receipt or payload.
        public static let notValidAtCreationDate = Code("not-valid-at-creation-date")
        /// A file of the signing authority is missing or can't be read.
        public static let authorityUnreadable = Code("authority-unreadable")
        /// The signing authority's files do not belong together.
        public static let authorityDamaged = Code("authority-damaged")
        /// The signing authority's files can't be written.
        public static let authorityNotWritable = Code("authority-not-writable")

        /// The authority has issued no such certificate.
        public static let unknownCertificate = Code("unknown-certificate")

        /// The code as a word for logs and scripts, such as `too-large`.
        public var description: String { name }
    }

    /// The kind of the error.
    public var code: Code
    /// The description of the error, with its place and, where there is one,
    /// the remedy.
    public var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension AppReceiptError: Hashable {
    /// Whether both have the same code.
    public static func == (left: AppReceiptError, right: AppReceiptError) -> Bool { left.code == right.code }

    /// Hashes the code, because only it decides equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension AppReceiptError: CustomStringConvertible {
    /// The message and, in brackets, the code.
    public var description: String { "\(message) (\(code))" }
}
