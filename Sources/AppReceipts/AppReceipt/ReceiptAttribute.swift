// SPDX-License-Identifier: Apache-2.0

/// One attribute of a receipt, or of a purchase in it.
///
/// ```
/// ReceiptAttribute ::= SEQUENCE {
///     type    INTEGER,
///     version INTEGER,
///     value   OCTET STRING }
/// ```
///
/// - Note: The encoder writes version 1 for every attribute that has a field.
struct ReceiptAttribute {
    var type: Int
    var version: Int
    var value: ArraySlice<UInt8>

    init(_ field: some RawRepresentable<Int>, encoded value: [UInt8]) {
        type = field.rawValue
        version = 1
        self.value = value[...]
    }

    /// - Throws: ``AppReceiptError/Code/invalidValue`` if `Field` has the
    ///   attribute's type, because the receipt could then have the attribute
    ///   twice.
    init<Field: RawRepresentable<Int>>(
        _ attribute: UnknownAttribute, unknownTo: Field.Type
    ) throws(AppReceiptError) {
        guard Field(rawValue: attribute.type) == nil else {
            throw AppReceiptError(.invalidValue, "Attribute \(attribute.type) is a known one")
        }
        type = attribute.type
        version = attribute.version
        value = ArraySlice(attribute.value)
    }

    init(reading reader: inout DERReader) throws(AppReceiptError) {
        (type, version, value) = try reader.constructed(.sequence) { reader throws(AppReceiptError) in
            (Int(try reader.integer()), Int(try reader.integer()), try reader.octets(.octetString))
        }
    }

    func write(to writer: inout DERWriter) {
        writer.constructed(.sequence) { writer in
            writer.integer(Int64(type))
            writer.integer(Int64(version))
            writer.primitive(.octetString, value)
        }
    }

    /// The attributes as a SET OF.
    static func encode(_ attributes: [ReceiptAttribute]) -> [UInt8] {
        var writer = DERWriter()
        writer.setOf(attributes) { $0.write(to: &$1) }
        return writer.bytes
    }
}
