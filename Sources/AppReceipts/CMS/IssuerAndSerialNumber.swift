// SPDX-License-Identifier: Apache-2.0

import SwiftASN1
import X509

/// Which certificate signed, by the two things that make it unique.
///
/// ```
/// IssuerAndSerialNumber ::= SEQUENCE {
///     issuer       Name,
///     serialNumber CertificateSerialNumber }
///
/// CertificateSerialNumber ::= INTEGER
/// ```
struct IssuerAndSerialNumber: DERSerializable, Hashable {
    /// The issuer's name, as encoded.
    var issuer: ArraySlice<UInt8>
    /// The number's octets, without a leading zero.
    var serialNumber: ArraySlice<UInt8>

    init(of certificate: Certificate) throws {
        var coder = DER.Serializer()
        try coder.serialize(certificate.issuer)
        issuer = coder.serializedBytes[...]
        serialNumber = certificate.serialNumber.bytes
    }

    init(node: ASN1Node) throws {
        (issuer, serialNumber) = try DER.sequence(node, identifier: .sequence) { nodes in
            guard let issuer = nodes.next()?.encodedBytes else {
                throw AppReceiptError(.malformed, "The signer's issuer is missing")
            }
            return (issuer, try ArraySlice(derEncoded: &nodes))
        }
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.serializeRawBytes(issuer)
            try coder.serialize(serialNumber)
        }
    }
}
