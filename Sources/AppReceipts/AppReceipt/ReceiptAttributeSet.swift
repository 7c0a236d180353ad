// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// The attributes of a receipt or of a purchase, to be taken out one by one.
///
/// ```
/// Payload      ::= SET OF ReceiptAttribute
/// InAppReceipt ::= SET OF ReceiptAttribute
/// ```
///
/// - Note: Written in DER's order of a SET OF, as Apple's are (X.690, 11.6);
///   read in any order.
struct ReceiptAttributeSet {
    private var attributes: [Int: [ReceiptAttribute]] = [:]

    init(parsing bytes: ArraySlice<UInt8>, within limit: NodeLimit) throws {
        try limit.check(bytes)
        let root = try BER.parse(bytes)
        try DER.set(root, identifier: .set) { nodes in
            while let node = nodes.next() {
                let attribute = try ReceiptAttribute(node: node)
                attributes[attribute.type, default: []].append(attribute)
            }
        }
    }

    static func encode(_ attributes: [ReceiptAttribute]) throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.serializeSetOf(attributes)
        return coder.serializedBytes
    }

    /// - Throws: ``AppReceiptError/Code/duplicateAttribute``.
    mutating func take(_ field: some RawRepresentable<Int>) throws -> ReceiptAttribute? {
        let found = takeAll(field)
        guard found.count < 2 else {
            throw AppReceiptError(.duplicateAttribute, "Attribute \(field.rawValue) is there \(found.count) times")
        }
        return found.first
    }

    /// - Throws: ``AppReceiptError/Code/missingAttribute`` or
    ///   ``AppReceiptError/Code/duplicateAttribute``.
    mutating func required(_ field: some RawRepresentable<Int>) throws -> ReceiptAttribute {
        guard let attribute = try take(field) else {
            throw AppReceiptError(.missingAttribute, "Attribute \(field.rawValue) (\(field)) is missing")
        }
        return attribute
    }

    mutating func takeAll(_ field: some RawRepresentable<Int>) -> [ReceiptAttribute] {
        attributes.removeValue(forKey: field.rawValue) ?? []
    }

    mutating func takeRest() -> [UnknownAttribute] {
        defer { attributes = [:] }
        return attributes.values.joined().map { attribute in
            UnknownAttribute(type: attribute.type, version: attribute.version, value: Data(attribute.value))
        }
    }
}
