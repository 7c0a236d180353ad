// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SwiftASN1
import X509

/// A digest of a message's signature, with the signature algorithms that use
/// it.
struct SignatureDigest: Sendable {
    let identifier: ASN1ObjectIdentifier
    private let rsa: (name: ASN1ObjectIdentifier, algorithm: Certificate.SignatureAlgorithm)
    private let ecdsa: (name: ASN1ObjectIdentifier, algorithm: Certificate.SignatureAlgorithm)?
    private let hash: @Sendable ([UInt8]) -> [UInt8]

    /// The digest of the receipts of a store.
    static let sha256 = SignatureDigest(
        identifier: .sha256, rsa: (.sha256WithRSA, .sha256WithRSAEncryption),
        ecdsa: (.ecdsaWithSHA256, .ecdsaWithSHA256), hash: { Array(SHA256.hash(data: $0)) })

    private static let others = [
        SignatureDigest(
            identifier: .sha1, rsa: (.sha1WithRSA, .sha1WithRSAEncryption), ecdsa: nil,
            hash: { Array(Insecure.SHA1.hash(data: $0)) }),
        SignatureDigest(
            identifier: .sha384, rsa: (.sha384WithRSA, .sha384WithRSAEncryption),
            ecdsa: (.ecdsaWithSHA384, .ecdsaWithSHA384), hash: { Array(SHA384.hash(data: $0)) }),
        SignatureDigest(
            identifier: .sha512, rsa: (.sha512WithRSA, .sha512WithRSAEncryption),
            ecdsa: (.ecdsaWithSHA512, .ecdsaWithSHA512), hash: { Array(SHA512.hash(data: $0)) }),
    ]

    /// The digest with an identifier; nil if the profile doesn't accept it.
    static func named(_ identifier: ASN1ObjectIdentifier, in profile: VerificationProfile) -> SignatureDigest? {
        if identifier == sha256.identifier { return sha256 }
        return profile == .lenient ? others.first { $0.identifier == identifier } : nil
    }

    /// The algorithm of a signature with this digest. Some messages name the
    /// signature algorithm alone, others name it together with the digest.
    func algorithm(
        named name: ASN1ObjectIdentifier, in profile: VerificationProfile
    ) -> Certificate.SignatureAlgorithm? {
        if name == .rsa || name == rsa.name { return rsa.algorithm }
        guard profile == .lenient, let ecdsa, name == ecdsa.name else { return nil }
        return ecdsa.algorithm
    }

    /// Whether attributes are those of these contents: they have the content
    /// type and this digest of the contents (RFC 5652, section 11).
    func isSigned(_ attributes: SignedAttributes, of content: ArraySlice<UInt8>) -> Bool {
        var type = DERWriter()
        type.objectIdentifier(.data)
        var digest = DERWriter()
        digest.primitive(.octetString, hash(Array(content)))
        return attributes.onlyValue(of: .contentType)?.elementsEqual(type.bytes) == true
            && attributes.onlyValue(of: .messageDigest)?.elementsEqual(digest.bytes) == true
    }
}
