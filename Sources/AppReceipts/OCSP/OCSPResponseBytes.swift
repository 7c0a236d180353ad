// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// A response with its type (RFC 6960, section 4.2.1).
///
/// ```
/// ResponseBytes ::= SEQUENCE {
///     responseType OBJECT IDENTIFIER,
///     response     OCTET STRING }
/// ```
///
/// - Note: The only type is `id-pkix-ocsp-basic`.
struct OCSPResponseBytes: DERSerializable {
    var response: BasicOCSPResponse

    func serialize(into coder: inout DER.Serializer) throws {
        var inner = DER.Serializer()
        try inner.serialize(response)
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(ASN1ObjectIdentifier.ocspBasic)
            coder.appendPrimitiveNode(identifier: .octetString) { $0.append(contentsOf: inner.serializedBytes) }
        }
    }
}
