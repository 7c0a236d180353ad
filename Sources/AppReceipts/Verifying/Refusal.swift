// SPDX-License-Identifier: Apache-2.0

extension AppReceiptVerifier {
    /// One reason not to trust a receipt.
    public struct Refusal: Sendable, Hashable {
        /// What kind of reason it is.
        public var code: Code
        /// The reason in words.
        public var message: String

        init(_ code: Code, _ message: String) {
            self.code = code
            self.message = message
        }

        /// What kind of reason it is.
        public struct Code: Hashable, Sendable, CustomStringConvertible {
            private let name: String

            private init(_ name: String) {
                self.name = name
            }

            /// The receipt's root certificate isn't one of the trusted ones.
            public static let untrustedRoot = Code("untrusted-root")
            /// The certificates aren't leaf, intermediate and root of a
            /// receipt authority, each signed by the next.
            public static let brokenChain = Code("broken-chain")
            /// A certificate isn't valid at the receipt's creation date.
            public static let certificateNotValidAtSigning = Code("certificate-not-valid-at-signing")
            /// The leaf's key didn't sign these contents.
            public static let wrongSignature = Code("wrong-signature")
            /// The bytes aren't the ones that the store writes for these
            /// contents.
            public static let notCanonical = Code("not-canonical")
            /// SHA-1, where the profile asks for SHA-256.
            public static let weakAlgorithm = Code("weak-algorithm")
            /// A certificate was revoked.
            public static let revoked = Code("revoked")
            /// There is no date at which the certificates could be judged.
            public static let undated = Code("undated")
            /// It comes from another environment.
            public static let wrongEnvironment = Code("wrong-environment")
            /// The receipt is for another app.
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
