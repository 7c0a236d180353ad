// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SwiftASN1
import X509

/// The certificate that a request asks about (RFC 6960, section 4.1.1).
///
/// ```
/// CertID ::= SEQUENCE {
///     hashAlgorithm  AlgorithmIdentifier,
///     issuerNameHash OCTET STRING,  -- of the issuer's name
///     issuerKeyHash  OCTET STRING,  -- of the issuer's public key
///     serialNumber   CertificateSerialNumber }
/// ```
///
/// - Note: A response repeats the request's bytes. SHA-1 and SHA-256 are
///   supported.
struct OCSPCertID: DERSerializable, Hashable {
    var hashAlgorithm: AlgorithmIdentifier
    var issuerNameHash: ArraySlice<UInt8>
    var issuerKeyHash: ArraySlice<UInt8>
    /// The number's octets as encoded.
    var encodedSerialNumber: ArraySlice<UInt8>

    var serialNumber: SerialNumber { SerialNumber(bytes: encodedSerialNumber) }

    init(node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { nodes in
            OCSPCertID(
                hashAlgorithm: try AlgorithmIdentifier(node: nodes.required("the hash algorithm")),
                issuerNameHash: try ASN1OctetString(derEncoded: &nodes).bytes,
                issuerKeyHash: try ASN1OctetString(derEncoded: &nodes).bytes,
                encodedSerialNumber: try ArraySlice(derEncoded: &nodes))
        }
    }

    private init(
        hashAlgorithm: AlgorithmIdentifier, issuerNameHash: ArraySlice<UInt8>, issuerKeyHash: ArraySlice<UInt8>,
        encodedSerialNumber: ArraySlice<UInt8>
    ) {
        self.hashAlgorithm = hashAlgorithm
        self.issuerNameHash = issuerNameHash
        self.issuerKeyHash = issuerKeyHash
        self.encodedSerialNumber = encodedSerialNumber
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(hashAlgorithm)
            coder.appendPrimitiveNode(identifier: .octetString) { $0.append(contentsOf: issuerNameHash) }
            coder.appendPrimitiveNode(identifier: .octetString) { $0.append(contentsOf: issuerKeyHash) }
            try coder.serialize(encodedSerialNumber)
        }
    }

    /// Whether a certificate is the issuer in this identifier.
    func isIssued(by issuer: Certificate) throws -> Bool {
        var name = DER.Serializer()
        try name.serialize(issuer.subject)
        let key = issuer.publicKey.subjectPublicKeyInfoBytes
        switch hashAlgorithm.algorithm {
        case .sha1:
            return issuerNameHash.elementsEqual(Insecure.SHA1.hash(data: name.serializedBytes))
                && issuerKeyHash.elementsEqual(Insecure.SHA1.hash(data: key))
        case .sha256:
            return issuerNameHash.elementsEqual(SHA256.hash(data: name.serializedBytes))
                && issuerKeyHash.elementsEqual(SHA256.hash(data: key))
        default:
            return false
        }
    }
}
