// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// The attributes that a signature covers in the place of the contents.
///
/// ```
/// SignedAttributes ::= SET SIZE (1..MAX) OF Attribute
///
/// Attribute ::= SEQUENCE {
///     attrType   OBJECT IDENTIFIER,
///     attrValues SET OF AttributeValue }
/// ```
///
/// One of them has the digest of the contents, so that the signature covers
/// the contents too. `openssl cms -sign` writes attributes; a store doesn't.
struct SignedAttributes: Hashable {
    struct Attribute: Hashable {
        var type: ASN1ObjectIdentifier
        /// The values, each as encoded.
        var values: [ArraySlice<UInt8>]
    }

    var attributes: [Attribute]

    private static let tag = DERTag.context(0)
    /// The largest number of attributes, and of values of one. Each takes
    /// memory.
    private static let most = 100

    init(_ attributes: [Attribute]) {
        self.attributes = attributes
    }

    /// The attributes, or nil if the next element is another one.
    static func readingNext(_ reader: inout DERReader) throws(AppReceiptError) -> SignedAttributes? {
        guard reader.isNext(tag) else { return nil }
        return try reader.constructed(tag) { reader throws(AppReceiptError) in
            var attributes: [Attribute] = []
            while !reader.isAtEnd {
                guard attributes.count < most else { throw tooMany("signed attributes") }
                attributes.append(try Attribute(reading: &reader, most: most))
            }
            return SignedAttributes(attributes)
        }
    }

    fileprivate static func tooMany(_ what: String) -> AppReceiptError {
        AppReceiptError(.tooLarge, "There are more than \(most) \(what)")
    }

    /// The value of an attribute that occurs once and has one value; nil for
    /// any other.
    func onlyValue(of type: ASN1ObjectIdentifier) -> ArraySlice<UInt8>? {
        let found = attributes.filter { $0.type == type }
        return found.count == 1 && found[0].values.count == 1 ? found[0].values[0] : nil
    }

    /// The bytes that the signature covers: the attributes as a SET OF in DER,
    /// with that tag instead of the message's (RFC 5652, section 5.4).
    var signedBytes: [UInt8] {
        var writer = DERWriter()
        writer.setOf(attributes) { $0.write(to: &$1) }
        return writer.bytes
    }

    func write(to writer: inout DERWriter) {
        let bytes = signedBytes
        writer.element([Self.tag.octet])
        writer.element(bytes.dropFirst())
    }
}

extension SignedAttributes.Attribute {
    fileprivate init(reading reader: inout DERReader, most: Int) throws(AppReceiptError) {
        self = try reader.constructed(.sequence) { reader throws(AppReceiptError) in
            let type = try reader.objectIdentifier()
            var values: [ArraySlice<UInt8>] = []
            try reader.setOf { reader throws(AppReceiptError) in
                guard values.count < most else { throw SignedAttributes.tooMany("values of a signed attribute") }
                values.append(try reader.element())
            }
            return SignedAttributes.Attribute(type: type, values: values)
        }
    }

    fileprivate func write(to writer: inout DERWriter) {
        writer.constructed(.sequence) { writer in
            writer.objectIdentifier(type)
            writer.setOf(values) { $1.element($0) }
        }
    }
}
