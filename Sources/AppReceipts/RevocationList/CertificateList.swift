// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1
import X509

/// A signed list of the certificates that an issuer has revoked (RFC 5280,
/// section 5.1).
///
/// ```
/// CertificateList ::= SEQUENCE {
///     tbsCertList        TBSCertList,
///     signatureAlgorithm AlgorithmIdentifier,
///     signatureValue     BIT STRING }
/// ```
struct CertificateList: DERSerializable {
    /// The signed bytes of the list.
    var tbsBytes: ArraySlice<UInt8>
    var signatureAlgorithm: AlgorithmIdentifier
    var signature: ArraySlice<UInt8>

    init(_ list: TBSCertList, signedBy issuer: SigningAuthority.Member, as kind: ChainKind) throws {
        var coder = DER.Serializer()
        try coder.serialize(list)
        tbsBytes = coder.serializedBytes[...]
        signatureAlgorithm = .certificateSignature(kind)
        signature = try issuer.key.sign(
            bytes: coder.serializedBytes, signatureAlgorithm: kind.signatureAlgorithm
        ).rawRepresentation[...]
    }

    init(parsing bytes: [UInt8]) throws {
        self = try DER.sequence(DER.parse(bytes), identifier: .sequence) { nodes in
            CertificateList(
                tbsBytes: try nodes.required("the list").encodedBytes,
                signatureAlgorithm: try AlgorithmIdentifier(node: nodes.required("the signature algorithm")),
                signature: try ASN1BitString(derEncoded: &nodes).bytes)
        }
    }

    private init(tbsBytes: ArraySlice<UInt8>, signatureAlgorithm: AlgorithmIdentifier, signature: ArraySlice<UInt8>) {
        self.tbsBytes = tbsBytes
        self.signatureAlgorithm = signatureAlgorithm
        self.signature = signature
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.serializeRawBytes(tbsBytes)
            try coder.serialize(signatureAlgorithm)
            try coder.serialize(ASN1BitString(bytes: signature))
        }
    }
}
