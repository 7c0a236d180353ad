// SPDX-License-Identifier: Apache-2.0

extension AppReceiptVerifier {
    /// One reason not to trust a receipt or a payload.
    public struct Refusal: Sendable, Hashable {
        /// The kind of the reason.
        public var code: Code
        /// The reason in words.
        public var message: String

        init(_ code: Code, _ message: String) {
            self.code = code
            self.message = message
        }

        /// The kind of a reason.
        public struct Code: Hashable, Sendable, CustomStringConvertible {
            private let name: String

            private init(_ name: String) {
                self.name = name
            }

            /// The root certificate isn't one of the trusted ones.
            public static let untrustedRoot = Code("untrusted-root")
            /// The certificates are not the leaf, intermediate and root
            /// certificate of a signing authority, each signed by the next
            /// one.
            public static let brokenChain = Code("broken-chain")
            /// A certificate isn't valid at the date of signing.
            public static let certificateNotValidAtSigning = Code("certificate-not-valid-at-signing")
            /// The signature isn't by the signer's key over these contents.
            public static let wrongSignature = Code("wrong-signature")
            /// The bytes are not the ones that a store writes for these
            /// contents.
            public static let notCanonical = Code("not-canonical")
            /// An algorithm or a version that the profile doesn't accept,
            /// such as SHA-1.
            public static let weakAlgorithm = Code("weak-algorithm")
            /// A certificate was revoked.
            public static let revoked = Code("revoked")
            /// There is no date at which the certificates could be checked.
            public static let undated = Code("undated")
            /// The payload is from another environment.
            public static let wrongEnvironment = Code("wrong-environment")
            /// The receipt or payload is for another app.
            public static let wrongBundleIdentifier = Code("wrong-bundle-identifier")
            /// The receipt is for another device.
            public static let wrongDevice = Code("wrong-device")

            /// The code as a word for logs and scripts, such as
            /// `wrong-device`.
            public var description: String { name }
        }
    }
}

extension AppReceiptVerifier.Refusal: CustomStringConvertible {
    /// The message and, in brackets, the code.
    public var description: String { "\(message) (\(code))" }
}
