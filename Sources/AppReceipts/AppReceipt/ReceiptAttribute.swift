// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// One attribute of a receipt, or of a purchase in it.
///
/// ```
/// ReceiptAttribute ::= SEQUENCE {
///     type    INTEGER,
///     version INTEGER,
///     value   OCTET STRING }
/// ```
///
/// - Note: We write version 1 for every attribute that we know.
struct ReceiptAttribute: DERSerializable {
    var type: Int
    var version: Int
    var value: ArraySlice<UInt8>

    init(_ field: some RawRepresentable<Int>, encoded value: [UInt8]) {
        type = field.rawValue
        version = 1
        self.value = value[...]
    }

    /// - Throws: ``AppReceiptError/Code/invalidValue`` if the attribute has a
    ///   field, because the receipt would then have it twice.
    init<Field: RawRepresentable<Int>>(_ attribute: UnknownAttribute, unknownTo: Field.Type) throws {
        guard Field(rawValue: attribute.type) == nil else {
            throw AppReceiptError(.invalidValue, "Attribute \(attribute.type) is a known one")
        }
        type = attribute.type
        version = attribute.version
        value = ArraySlice(attribute.value)
    }

    init(node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { nodes in
            let type = try Int(derEncoded: &nodes)
            let version = try Int(derEncoded: &nodes)
            let value = try ASN1OctetString(berEncoded: &nodes)
            return ReceiptAttribute(type: type, version: version, value: value.bytes)
        }
    }

    private init(type: Int, version: Int, value: ArraySlice<UInt8>) {
        self.type = type
        self.version = version
        self.value = value
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(type)
            try coder.serialize(version)
            coder.appendPrimitiveNode(identifier: .octetString) { $0.append(contentsOf: value) }
        }
    }
}
