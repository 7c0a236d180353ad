// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// A certificate with an RSA key of any length.
///
/// X509 doesn't read certificates with keys of less than 2048 bits, and the
/// ones that signed transaction receipts of version 2 have 1024. This type
/// reads the fields that are needed to verify such a signer.
///
/// ```
/// Certificate ::= SEQUENCE {
///     tbsCertificate     TBSCertificate,
///     signatureAlgorithm AlgorithmIdentifier,
///     signatureValue     BIT STRING }
///
/// TBSCertificate ::= SEQUENCE {
///     version              [0] EXPLICIT Version DEFAULT v1,
///     serialNumber         CertificateSerialNumber,
///     signature            AlgorithmIdentifier,
///     issuer               Name,
///     validity             SEQUENCE { notBefore Time, notAfter Time },
///     subject              Name,
///     subjectPublicKeyInfo SubjectPublicKeyInfo,
///     ...
///     extensions           [3] EXPLICIT Extensions OPTIONAL }
/// ```
struct OldCertificate {
    var serialNumber: SerialNumber
    var notValidBefore: Date
    var notValidAfter: Date
    var key: _RSA.Signing.PublicKey
    private var issuer: ArraySlice<UInt8>
    private var extensionIdentifiers: Set<ASN1ObjectIdentifier> = []
    private var tbsBytes: ArraySlice<UInt8>
    private var signatureAlgorithm: ASN1ObjectIdentifier
    private var signature: ArraySlice<UInt8>

    init(parsing bytes: ArraySlice<UInt8>) throws {
        let outer = try DER.parse(bytes).children(.sequence)
        guard outer.count == 3 else { throw AppReceiptError(.malformed, "Not a certificate") }
        tbsBytes = outer[0].encodedBytes
        signatureAlgorithm = try AlgorithmIdentifier(node: outer[1]).algorithm
        signature = try ASN1BitString(derEncoded: outer[2]).bytes

        var nodes = try outer[0].children(.sequence)[...]
        let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        if nodes.first?.identifier == version { nodes.removeFirst() }
        guard nodes.count >= 6 else { throw AppReceiptError(.malformed, "Not a certificate") }
        nodes = Array(nodes)[...]
        serialNumber = SerialNumber(bytes: try ArraySlice<UInt8>(derEncoded: nodes[0]))
        issuer = nodes[2].encodedBytes
        let validity = try nodes[3].children(.sequence)
        guard validity.count == 2 else { throw AppReceiptError(.malformed, "Not a certificate") }
        notValidBefore = try Self.date(validity[0])
        notValidAfter = try Self.date(validity[1])
        key = try _RSA.Signing.PublicKey(unsafeDERRepresentation: Array(nodes[5].encodedBytes))

        let extensions = ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific)
        for node in nodes.dropFirst(6) where node.identifier == extensions {
            for item in try node.children(extensions).flatMap({ try $0.children(.sequence) }) {
                guard let identifier = try item.children(.sequence).first else { continue }
                extensionIdentifiers.insert(try ASN1ObjectIdentifier(derEncoded: identifier))
            }
        }
    }

    private static func date(_ node: ASN1Node) throws -> Date {
        guard case .primitive(let text) = node.content else { throw AppReceiptError(.malformed, "Not a time") }
        // A year of two digits is between 1950 and 2049 (RFC 5280, section
        // 4.1.2.5.1).
        let isRecent = text.first.map { $0 < UInt8(ascii: "5") } ?? false
        let century: [UInt8] = node.identifier == .utcTime ? Array((isRecent ? "20" : "19").utf8) : []
        let digits = century + text.dropLast()
        guard digits.count == 14, text.last == UInt8(ascii: "Z") else {
            throw AppReceiptError(.malformed, "Not a time")
        }
        var spelled: [UInt8] = []
        for (end, separator) in [(4, "-"), (6, "-"), (8, "T"), (10, ":"), (12, ":"), (14, "Z")] {
            spelled += digits[(end == 4 ? 0 : end - 2)..<end] + Array(separator.utf8)
        }
        return try ReceiptDate.parse(spelled[...])
    }

    func isMarked(_ marker: ASN1ObjectIdentifier) -> Bool { extensionIdentifiers.contains(marker) }

    func isIssued(by authority: Certificate) -> Bool {
        var name = DER.Serializer()
        guard (try? name.serialize(authority.subject)) != nil, issuer.elementsEqual(name.serializedBytes),
            case .isCertificateAuthority = try? authority.extensions.basicConstraints
        else { return false }
        switch signatureAlgorithm {
        case .sha1WithRSA:
            return authority.publicKey.isValidSignature(
                signature, for: tbsBytes, signatureAlgorithm: .sha1WithRSAEncryption)
        case .sha256WithRSA:
            return authority.publicKey.isValidSignature(
                signature, for: tbsBytes, signatureAlgorithm: .sha256WithRSAEncryption)
        default: return false
        }
    }
}
