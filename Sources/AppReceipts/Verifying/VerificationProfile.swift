// SPDX-License-Identifier: Apache-2.0

/// Which rules a verifier goes by.
public struct VerificationProfile: Sendable, Hashable, CustomStringConvertible {
    private let name: String

    private init(_ name: String) {
        self.name = name
    }

    /// The rules for what a store of ours signed: exactly the bytes that it
    /// writes, exactly its three certificates, SHA-256.
    public static let strict = VerificationProfile("strict")

    /// The rules for what others signed, Apple and Xcode among them, given
    /// their root certificates.
    ///
    /// SHA-1, BER, nested octet strings, another order of certificates and
    /// chains that leave the root out are accepted, and so is a certificate
    /// that is itself a trusted root, as Xcode's is. A signer's chain still
    /// has to end in a trusted root, be valid at the date that was signed,
    /// and carry the markers of receipts if it is longer than one.
    public static let lenient = VerificationProfile("lenient")

    /// The profile's name.
    public var description: String { name }
}
