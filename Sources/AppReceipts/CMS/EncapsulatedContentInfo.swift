// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// What is signed, inside of the message that signs it.
///
/// ```
/// EncapsulatedContentInfo ::= SEQUENCE {
///     eContentType ContentType,
///     eContent [0] EXPLICIT OCTET STRING OPTIONAL }
/// ```
///
/// - Note: The content type is `id-data`, and the content has to be there: a
///   receipt with a detached signature is no receipt.
struct EncapsulatedContentInfo: DERSerializable {
    var content: ArraySlice<UInt8>

    init(content: ArraySlice<UInt8>) {
        self.content = content
    }

    init(node: ASN1Node) throws {
        content = try DER.sequence(node, identifier: .sequence) { nodes in
            let type = try ASN1ObjectIdentifier(derEncoded: &nodes)
            guard type == .data else {
                throw AppReceiptError(.malformed, "The signed content's type is \(type), not data")
            }
            return try DER.explicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) { node in
                try ASN1OctetString(berEncoded: node).bytes
            }
        }
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(ASN1ObjectIdentifier.data)
            coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                coder.appendPrimitiveNode(identifier: .octetString) { $0.append(contentsOf: content) }
            }
        }
    }
}
