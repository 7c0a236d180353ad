// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

// What is inside of an attribute's OCTET STRING: raw octets for the opaque
// value and the hash, another DER value for all others.
extension ReceiptAttribute {
    init(_ field: some RawRepresentable<Int>, octets: Data) {
        self.init(field, encoded: Array(octets))
    }

    init(_ field: some RawRepresentable<Int>, utf8 string: String) {
        self.init(field, encoded: Self.utf8(string))
    }

    init(_ field: some RawRepresentable<Int>, integer: some FixedWidthInteger & DERSerializable) throws {
        var coder = DER.Serializer()
        try coder.serialize(integer)
        self.init(field, encoded: coder.serializedBytes)
    }

    /// Dates are IA5String in RFC 3339's form.
    init(_ field: some RawRepresentable<Int>, date: Date) throws {
        let text = try ReceiptDate.encode(date)
        var coder = DER.Serializer()
        coder.appendPrimitiveNode(identifier: .ia5String) { $0.append(contentsOf: text) }
        self.init(field, encoded: coder.serializedBytes)
    }

    static func utf8(_ string: String) -> [UInt8] {
        var coder = DER.Serializer()
        coder.appendPrimitiveNode(identifier: .utf8String) { $0.append(contentsOf: string.utf8) }
        return coder.serializedBytes
    }

    func integer() throws -> Int64 {
        try Int64(derEncoded: BER.parse(value))
    }

    func smallInteger() throws -> Int {
        try Int(derEncoded: BER.parse(value))
    }

    func flag() throws -> Bool {
        try integer() != 0
    }

    func string() throws -> String {
        guard let string = String(validating: try text(), as: UTF8.self) else {
            throw AppReceiptError(.malformed, "Attribute \(type) is not UTF-8")
        }
        return string
    }

    /// The date, or nil if the attribute is an empty string, as real receipts
    /// write "none".
    func date() throws -> Date? {
        let text = try text()
        return text.isEmpty ? nil : try ReceiptDate.parse(text)
    }

    func requiredDate() throws -> Date {
        guard let date = try date() else {
            throw AppReceiptError(.missingAttribute, "Attribute \(type) is empty")
        }
        return date
    }

    /// UTF8String or IA5String alike; ours are then held to what we write.
    private func text() throws -> ArraySlice<UInt8> {
        let node = try BER.parse(value)
        guard node.identifier == .utf8String || node.identifier == .ia5String else {
            throw AppReceiptError(.malformed, "Attribute \(type) is not a string")
        }
        return try ASN1UTF8String(berEncoded: node, withIdentifier: node.identifier).bytes
    }
}
