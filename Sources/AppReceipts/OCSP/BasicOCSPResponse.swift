// SPDX-License-Identifier: Apache-2.0

import SwiftASN1
import X509

/// A signed response (RFC 6960, section 4.2.1).
///
/// ```
/// BasicOCSPResponse ::= SEQUENCE {
///     tbsResponseData    ResponseData,
///     signatureAlgorithm AlgorithmIdentifier,
///     signature          BIT STRING,
///     certs              [0] EXPLICIT SEQUENCE OF Certificate OPTIONAL }
/// ```
///
/// - Note: The issuer's delegate signs it. The delegate's certificate is
///   included.
struct BasicOCSPResponse: DERSerializable {
    private var data: [UInt8]
    private var signature: [UInt8]
    private var delegate: [UInt8]

    init(_ data: OCSPResponseData, signedBy delegate: SigningAuthority.Member) throws {
        var coder = DER.Serializer()
        try coder.serialize(data)
        self.data = coder.serializedBytes
        signature = try delegate.key.sign(bytes: self.data, signatureAlgorithm: .ecdsaWithSHA256).rawRepresentation
        self.delegate = delegate.der
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.serializeRawBytes(data)
            try coder.serialize(AlgorithmIdentifier(algorithm: .ecdsaWithSHA256, parameters: nil))
            try coder.serialize(ASN1BitString(bytes: signature[...]))
            coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                coder.appendConstructedNode(identifier: .sequence) { $0.serializeRawBytes(delegate) }
            }
        }
    }
}
