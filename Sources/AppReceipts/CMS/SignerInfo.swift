// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// One signature and whose it is.
///
/// ```
/// SignerInfo ::= SEQUENCE {
///     version            CMSVersion,
///     sid                SignerIdentifier,
///     digestAlgorithm    DigestAlgorithmIdentifier,
///     signedAttrs        [0] IMPLICIT SignedAttributes OPTIONAL,
///     signatureAlgorithm SignatureAlgorithmIdentifier,
///     signature          SignatureValue,
///     unsignedAttrs      [1] IMPLICIT UnsignedAttributes OPTIONAL }
///
/// SignerIdentifier ::= CHOICE {
///     issuerAndSerialNumber IssuerAndSerialNumber,
///     subjectKeyIdentifier  [0] SubjectKeyIdentifier }
///
/// SignatureValue ::= OCTET STRING
/// ```
///
/// - Note: Receipts have no attributes, signed or unsigned: the signature is
///   over the content's octets themselves (RFC 5652, section 5.4). A message
///   with attributes is malformed, and so is one that names its signer by a
///   key identifier.
struct SignerInfo: DERSerializable, Hashable {
    /// 1, because the signer is named by issuer and serial number (RFC 5652,
    /// section 5.3).
    var version = 1
    var signer: IssuerAndSerialNumber
    var digestAlgorithm: AlgorithmIdentifier
    var signatureAlgorithm: AlgorithmIdentifier
    var signature: ArraySlice<UInt8>

    /// A signature by RSA and SHA-256.
    init(signer: IssuerAndSerialNumber, signature: ArraySlice<UInt8>) {
        self.signer = signer
        self.digestAlgorithm = .sha256
        self.signatureAlgorithm = .rsa
        self.signature = signature
    }

    init(node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { nodes in
            let version = try Int(derEncoded: &nodes)
            let signer = try IssuerAndSerialNumber(node: nodes.required("the signer"))
            let digestAlgorithm = try AlgorithmIdentifier(node: nodes.required("the digest algorithm"))
            let signatureAlgorithm = try AlgorithmIdentifier(node: nodes.required("the signature algorithm"))
            var info = SignerInfo(signer: signer, signature: try ASN1OctetString(berEncoded: &nodes).bytes)
            info.version = version
            info.digestAlgorithm = digestAlgorithm
            info.signatureAlgorithm = signatureAlgorithm
            return info
        }
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(version)
            try coder.serialize(signer)
            try coder.serialize(digestAlgorithm)
            try coder.serialize(signatureAlgorithm)
            coder.appendPrimitiveNode(identifier: .octetString) { $0.append(contentsOf: signature) }
        }
    }
}
