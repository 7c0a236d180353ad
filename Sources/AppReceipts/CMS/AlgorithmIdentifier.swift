// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// An algorithm and its parameters, which are kept as encoded.
///
/// ```
/// AlgorithmIdentifier ::= SEQUENCE {
///     algorithm  OBJECT IDENTIFIER,
///     parameters ANY DEFINED BY algorithm OPTIONAL }
/// ```
///
/// - Note: Receipts have NULL parameters for both algorithms, as Apple's
///   have. RFC 5754, section 2, requires readers to accept them for SHA-256.
struct AlgorithmIdentifier: DERSerializable, Hashable {
    var algorithm: ASN1ObjectIdentifier
    var parameters: ArraySlice<UInt8>?

    static let sha256 = AlgorithmIdentifier(algorithm: .sha256, parameters: [0x05, 0x00])
    static let rsa = AlgorithmIdentifier(algorithm: .rsa, parameters: [0x05, 0x00])

    init(algorithm: ASN1ObjectIdentifier, parameters: ArraySlice<UInt8>?) {
        self.algorithm = algorithm
        self.parameters = parameters
    }

    init(reading reader: inout DERReader) throws(AppReceiptError) {
        self = try reader.constructed(.sequence) { reader throws(AppReceiptError) in
            AlgorithmIdentifier(
                algorithm: try reader.objectIdentifier(), parameters: reader.isAtEnd ? nil : try reader.element())
        }
    }

    func write(to writer: inout DERWriter) {
        writer.constructed(.sequence) { writer in
            writer.objectIdentifier(algorithm)
            if let parameters { writer.element(parameters) }
        }
    }

    init(node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { nodes in
            AlgorithmIdentifier(
                algorithm: try ASN1ObjectIdentifier(derEncoded: &nodes),
                parameters: nodes.next()?.encodedBytes)
        }
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(algorithm)
            if let parameters { coder.serializeRawBytes(parameters) }
        }
    }
}
