// SPDX-License-Identifier: Apache-2.0

/// The rules that a verifier applies.
public struct VerificationProfile: Sendable, Hashable, CustomStringConvertible {
    private let name: String

    private init(_ name: String) {
        self.name = name
    }

    /// The rules for documents of OpenStoreKit's stores: exactly the bytes
    /// that a store writes, exactly its three certificates, and SHA-256.
    /// Transaction receipts have SHA-1, because their format has no other
    /// hash.
    public static let strict = VerificationProfile("strict")

    /// The rules for documents of other signers, such as Apple and Xcode,
    /// with their root certificates.
    ///
    /// This profile accepts SHA-1, SHA-384 and SHA-512, signed attributes
    /// (as `openssl cms -sign` writes them), ECDSA, BER, nested octet strings,
    /// another order of the certificates, and a chain without its root. It
    /// also accepts a signer's certificate that is itself a trusted root, as
    /// Xcode's is. A
    /// signer's chain still has to end in a trusted root, be valid at the
    /// signed date, and have the markers of receipts if it is longer than one
    /// certificate.
    public static let lenient = VerificationProfile("lenient")

    /// The profile's name.
    public var description: String { name }
}
