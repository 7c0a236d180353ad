// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// The outermost layer of a PKCS#7 message.
///
/// ```
/// ContentInfo ::= SEQUENCE {
///     contentType ContentType,
///     content [0] EXPLICIT ANY DEFINED BY contentType }
///
/// ContentType ::= OBJECT IDENTIFIER
/// ```
///
/// - Note: The only content type of a receipt is `id-signedData`.
struct ContentInfo: DERSerializable {
    var signedData: SignedData

    init(signedData: SignedData) {
        self.signedData = signedData
    }

    init(node: ASN1Node) throws {
        signedData = try DER.sequence(node, identifier: .sequence) { nodes in
            let type = try ASN1ObjectIdentifier(derEncoded: &nodes)
            guard type == .signedData else {
                throw AppReceiptError(.malformed, "The content type is \(type), not signed data")
            }
            return try DER.explicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) { node in
                try SignedData(node: node)
            }
        }
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(ASN1ObjectIdentifier.signedData)
            try coder.serialize(signedData, explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific)
        }
    }
}
